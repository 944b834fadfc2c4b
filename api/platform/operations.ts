import type { Operation } from '../http/operation.ts'
import * as account from './account.ts'
import * as review from './account-review.ts'
import * as capability from './capability.ts'
import * as document from './document.ts'
import * as onboarding from './onboarding-link.ts'
import * as person from './person.ts'
import * as own from './own-account.ts'
import * as virtual from './virtual-account.ts'

/** The operations of the area: accounts, connected accounts and virtual accounts. */
export const platformOperations: readonly Operation[] = [
  own.getOwnAccount,
  own.changeOwnAccount,
  account.createAccount,
  account.listAccounts,
  account.getAccount,
  account.updateAccount,
  review.readDeskAccount,
  review.reviewAccount,
  capability.listCapabilities,
  capability.getCapability,
  capability.requestCapability,
  person.createPerson,
  person.listPersons,
  person.getPerson,
  person.updatePerson,
  person.deletePerson,
  document.addCompanyDocument,
  document.listCompanyDocuments,
  onboarding.createOnboardingLink,
  onboarding.getOnboarding,
  onboarding.endOnboarding,
  onboarding.findRefreshUrl,
  virtual.createVirtualAccount,
  virtual.listVirtualAccounts,
  virtual.getVirtualAccount,
]
