import {
  SimulatedAddress,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedCoins,
  SimulatedConversion,
  SimulatedDeposit,
  SimulatedPhone,
  SimulatedPrompt,
  SimulatedRefund,
  SimulatedSetup,
} from './book.ts'
import { SimulatedPayout } from './payout-book.ts'

/** The books of the sandbox's rails. */
export const sandboxRailEntities = [
  SimulatedAddress,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedCoins,
  SimulatedConversion,
  SimulatedDeposit,
  SimulatedPayout,
  SimulatedPhone,
  SimulatedPrompt,
  SimulatedRefund,
  SimulatedSetup,
]
