import { type AccountFile, decidedIn, factsOf } from '../../db/platform/account-file.ts'
import type { Capability } from '../../domain/platform/capability.ts'
import { capabilityRequirementsOf, requirementsOf } from '../../domain/platform/requirement.ts'
import { presentAccount, presentCapability } from '../../schemas/platform/account.ts'

/**
 * An account as its callers and events see it at a moment, in milliseconds since the epoch. One that is on a test clock
 * is seen at the clock's time.
 */
export const viewOfAccount = (file: AccountFile, at: number) => viewAsOf(file, file.clockTime ?? at)

/** An account as it was seen at a moment, in milliseconds since the epoch, whatever its clock says now. */
export const viewAsOf = (file: AccountFile, at: number) =>
  presentAccount(file, { requirements: requirementsOf(factsOf(file), at), decided: decidedIn(file) })

/** A capability of an account as its callers and events see it, at a moment or at the time of its test clock. */
export const viewOfCapability = (file: AccountFile, capability: Capability, at: number) =>
  presentCapability(file, capability, {
    requirements: capabilityRequirementsOf(factsOf(file), capability, file.clockTime ?? at),
    decided: decidedIn(file),
  })
