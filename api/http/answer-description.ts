import type { TSchema } from 'typebox'
import type { Operation } from './operation.ts'

/** What an answer is, where the name of its schema does not say it. */
const named: Record<string, string> = {
  AdvancedClock: 'The test clock, and the events that have happened on the way',
  Agenda: 'What the resource waits for, and until when',
  AgendaPage: 'A page of what the resources of the account wait for',
  ApiKeys: 'The API keys of the organization',
  BackupCodes: 'The new backup codes, which are shown only here',
  Banks: 'The banks of the currency',
  CreatedApiKey: 'The new API key, with its secret',
  CreatedCheckoutSession: 'The new checkout session, with its address and its client secret',
  CreatedWebhookEndpoint: 'The new webhook endpoint, with its secret',
  ChangedPassword: 'The password is changed, and all other login sessions have ended',
  Capabilities: 'The capabilities of the account',
  CustomerPortal: 'The customer, the merchant and what the session is for',
  CustomerSession: 'The new customer session, with its token',
  CustomerState: 'The subscriptions, the open invoices and the cards of the customer',
  DeskAccount: 'The account, with what staff need for a decision',
  DeskDestination: 'The payout destination, with what staff need for a decision',
  DeskPayout: 'The payout, with what staff need for a decision',
  DeletedPayoutDestination: 'The payout destination is deactivated',
  DeletedProduct: 'The product is archived',
  DeletedProductGroup: 'The product group is archived',
  DisputeDocuments: 'The documents of the dispute, with links that open them',
  EndedOnboarding: 'The onboarding link has ended',
  EndedLoginSession: 'The login session has ended, and its tokens are refused',
  InvitationAuthenticator: 'The new second factor, which a code has to confirm',
  JoinedTeam: 'The new person, and their backup codes',
  LoggedIn: 'The tokens of the new login session',
  LoggedOut: 'The login session has ended, or all of them have',
  LoginChallenge: 'The challenge for the second factor',
  EventStream: 'The events as they happen',
  LoginSessions: 'The devices on which the person is signed in',
  LoginToken: 'The token for the next step of the login',
  MailedCode: 'The code is mailed',
  NewAuthenticator: 'The secret of the new authenticator app, which is shown only here',
  Onboarding: 'What the onboarding link opens',
  OnboardingLink: 'The new onboarding link',
  OpenedInvitation: 'What the invitation is for',
  OpenedCheckoutSession: 'The address of the checkout session',
  OrderedAction: 'The action of staff, which the process of the resource carries out',
  OwnAccount: 'The settings of the account',
  PaymentAttempt: 'The state of the payment, and what the buyer has to do next',
  PaymentMethods: 'The payment methods, with their currencies',
  PlanPreview: 'What the change would book',
  PortalPlans: 'The plans that the subscription may change to',
  ProductCategories: 'The product categories',
  PublicCheckoutSession: 'What the buyer may see of the checkout session',
  PublicInvoice: 'What the customer may see of the invoice',
  PublicPaymentLink: 'What a buyer may see of the payment link',
  RanScenario: 'The test clock of the scenario, and all its events',
  RefreshUrl: 'Where the seller gets a new onboarding link',
  RemovedTeamMember: 'The person is removed, and their sessions have ended',
  RemovedPaymentMethod: 'The saved card is removed',
  ReplacedAuthenticator: 'The new authenticator app is in use, and the earlier one no longer works',
  ResentChallenge: 'The challenge, for which a new code was sent',
  ResentWebhookEvent: 'The event, and its deliveries',
  ResolvedAccount: 'The holder of the bank account',
  RevokedApiKey: 'The API key is revoked',
  SavedWebhookConfiguration: 'The webhook configuration is saved',
  SignedIn: 'The person, their role and what it allows',
  StuckPage: 'Whatever is overdue or waits for an answer of a rail',
  StaffDispute: 'The dispute, with what staff need for a decision',
  StaffTimeline: 'What has happened to the resource, and what staff can do now',
  TestWebhook: 'Whether the test event was accepted',
  TestedWebhookEndpoint: 'The delivery of the test event',
  Timeline: 'What has happened to the resource, and what it waits for',
  Tokens: 'A new pair of tokens',
  WebhookDeliveryWithBody: 'The delivery, with its attempts and what it sends',
  WebhookEventWithDeliveries: 'The event, with its deliveries',
  WebhookSecret: 'The secret of the webhook endpoint',
}

/** Describes a successful answer by its schema: "The new refund", "A page of payments". */
export function answerDescription({ path, method, returns, returnsFile }: Operation): string {
  const [status, schema] = returns
  const { $id = '' }: TSchema & { $id?: string } = schema
  if (returnsFile) return `The ${path.includes('receipt') ? 'receipt' : 'invoice'} as a PDF`
  const known = named[$id]
  if (known) return known
  const noun = wordsOf($id.replace(/Page$/, '').replace(/^(Listed|Deleted|Removed)/, ''))
  if ($id.endsWith('Page')) return `A page of ${pluralOf(noun)}`
  if (method === 'delete' && /^(Deleted|Removed)/.test($id)) return `The ${noun} is deleted`
  return `The ${status === 201 ? 'new ' : ''}${noun}`
}

/** Describes the answer with status 200 of an operation that else creates: the resource existed already. */
export const existingDescription = (operation: Operation): string =>
  `${answerDescription(operation).replace('The new ', 'The ')}, which existed already`

/** `PayoutDestination` and `payout-destination` as words. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/[-_]/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

const pluralOf = (noun: string): string => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)
