import { Type, type Static } from 'typebox'
import { wrongKeys } from '../db/core/encryption.ts'
import { wrongTls } from '../db/core/tls.ts'
import { refined } from './checked-text.ts'
import { temporalSchemas } from './temporal-variables.ts'
import { address, dollars, oneOf, text, whole } from './variable.ts'

// The provider's secret key is sent there, so that plain http is for this machine only.
const railUrl = '^$|^https://[^\\s/?#@]+/?$|^http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:\\d{1,5})?/?$'
const railUrlMust = 'an https:// origin, or an http:// one of this machine'

const BASE64 = '[A-Za-z0-9+/_-]'

/** A header of OTEL_EXPORTER_OTLP_HEADERS. Only printable characters may be percent-encoded. */
const header = '[\\w-]+=([^,\\s%]|%([2-6][\\dA-Fa-f]|7[\\dA-Ea-e]))+'

/** Every variable that the processes read, in the order of .env.example. No default means that it is required. */
export const Environment = Type.Object({
  DATABASE_URL: address(
    {
      description: 'PostgreSQL 18, which holds all data that merchants query.',
      pattern: '^postgres(ql)?://.+',
      must: 'a postgres:// address',
      example: 'postgres://steadypay:password@127.0.0.1:5432/steadypay',
      secret: true, // holds a password
    },
    wrongTls,
  ),
  DATABASE_POOL: whole({
    description: 'The most connections to PostgreSQL per process; a worker reserves 4 in 10 of them for webhooks.',
    minimum: 2,
    maximum: 200,
    default: 10,
    must: 'a whole number from 2 to 200',
  }),
  ...temporalSchemas,
  TEMPORAL_UI_URL: address({
    description: 'The address of the Temporal UI for staff; the review desk links to it if it is set.',
    pattern: '^$|^https?://[^\\s?#]+$',
    default: '',
    must: 'an http:// or https:// address without query or fragment',
    example: 'https://temporal.example.com',
  }),
  TASK_QUEUE: text({
    description:
      'Task queue of the processes. Webhooks and the steps at each provider have their own: this name with ' +
      '"-webhooks", "-stripe" or "-paystack" at its end.',
    pattern: '^[\\w.-]{1,200}$',
    default: 'steadypay',
    must: 'a name of letters, digits, ".", "_" and "-"',
  }),
  WORKER_QUEUES: oneOf(['all', 'money', 'webhooks'], {
    description:
      'What a worker works on: webhooks, money (everything else, with the steps at providers), or all. Each needs at ' +
      'least one worker.',
    default: 'all',
  }),
  WORKER_BUILD_ID: text({
    description:
      'The release of a worker, such as a tag or a commit. It then takes only the processes that "npm run release" ' +
      'gives to this release. Without it a worker takes every process that has no release.',
    pattern: '^$|^[A-Za-z\\d]([\\w.-]{0,61}[A-Za-z\\d])?$',
    default: '',
    must: 'up to 63 letters, digits, ".", "_" and "-", with a letter or digit at both ends',
    example: '2026-12-01',
  }),
  WORKFLOW_BUNDLES: text({
    description: 'Folder with the bundled workflows; without it the worker bundles them at its start.',
    pattern: '',
    default: '',
    must: 'the path of a folder',
  }),
  HOST: text({
    description: 'Address that the API listens on.',
    pattern: '^\\S+$',
    default: '127.0.0.1',
    must: 'an IP address or host name',
  }),
  PORT: whole({
    description: 'Port that the API listens on; 0 takes a free one.',
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    must: 'a port number from 0 to 65535',
  }),
  METRICS_HOST: text({
    description: 'Address that each process serves its metrics on, for METRICS_PORT.',
    pattern: '^\\S+$',
    default: '127.0.0.1',
    must: 'an IP address or host name',
  }),
  METRICS_PORT: text({
    description:
      'Port for /metrics, /healthz and /readyz of each process, for your own network only; 0 takes a free one. ' +
      'Without it there is no such port and nothing is counted.',
    pattern: '^$|^(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$',
    default: '',
    must: 'a port number from 0 to 65535',
    example: '9464',
  }),
  DRAIN_SECONDS: whole({
    description:
      'How long the API goes on answering after SIGTERM, while /readyz says 503, so that load balancers send their ' +
      'calls elsewhere.',
    minimum: 0,
    maximum: 300,
    default: 0,
    must: 'a whole number from 0 to 300',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address({
    description: 'Where traces are sent, by OTLP over HTTP with JSON. Without it nothing is traced.',
    pattern: '^$|^https?://[^\\s?#]+$',
    default: '',
    must: 'an http:// or https:// address without query or fragment',
    example: 'http://127.0.0.1:4318',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text({
    description:
      'Headers for OTEL_EXPORTER_OTLP_ENDPOINT, where it wants a key: name=value, separated by commas, with ' +
      'percent-encoded values, such as Authorization=Bearer%20KEY.',
    pattern: `^$|^${header}(,${header})*$`,
    default: '',
    must: 'name=value, several separated by commas, with percent-encoded values',
    secret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: text({
    description: 'The share of calls that are traced.',
    pattern: '^(0|1|[01]?\\.\\d+)$',
    default: '1',
    must: 'a number from 0 to 1',
  }),
  PUBLIC_URL: address({
    description: 'The public address of the API; http://HOST:PORT if empty, which live refuses.',
    pattern: '^$|^https?://[^\\s?#]+$',
    default: '',
    must: 'an http:// or https:// address without query or fragment',
    example: 'https://pay.example.com',
  }),
  TRUSTED_PROXY_HOPS: whole({
    description: 'The number of proxies in front of the API whose X-Forwarded-For is trusted.',
    minimum: 0,
    maximum: 10,
    default: 0,
    must: 'a whole number from 0 to 10',
  }),
  DEPLOYMENT: oneOf(['development', 'sandbox', 'live'], {
    description:
      'The kind of this deployment; development and sandbox take keys of a provider’s test mode only, live those of ' +
      'its live mode.',
    default: 'development',
  }),
  ENCRYPTION_KEYS: refined(
    text({
      description:
        'Keys for what is stored encrypted, id:base64 of 32 bytes (openssl rand -base64 32), separated by commas. ' +
        'The first one encrypts, all of them decrypt. To change it, see docs/operating/data.md, "Keys".',
      pattern: `^[\\w-]{1,20}:${BASE64}{43}=?(\\s*,\\s*[\\w-]{1,20}:${BASE64}{43}=?)*$`,
      must: 'id:base64 of 32 bytes, several separated by commas',
      example: 'k1:',
      secret: true,
    }),
    wrongKeys,
  ),
  KEY_PEPPER: text({
    description: 'Keys the hashes of API keys: base64 of at least 32 bytes. Changing it makes every API key invalid.',
    pattern: `^${BASE64}{43,}={0,2}$`,
    must: 'base64 of at least 32 bytes',
    secret: true,
  }),
  SMTP_URL: address({
    description: 'The mail server; without it no mail is sent. A deployment that is not live also stores its mails.',
    pattern: '^$|^smtps?://[^\\s]+$',
    default: '',
    must: 'an smtp:// or smtps:// address',
    secret: true, // holds a password
  }),
  MAIL_FROM: text({
    description: 'Sender of the mails.',
    pattern: '^[^\\s@]+@[^\\s@]+$',
    default: 'no-reply@localhost',
    must: 'an email address',
  }),
  RATES_URL: address({
    description:
      'Where exchange rates are read: JSON with "rates", units of each currency that one US dollar buys. Without it ' +
      'the fixed table of the sandbox is used, which live refuses.',
    pattern: '^$|^https?://[^\\s#]+$',
    default: '',
    must: 'an http:// or https:// address without fragment',
    secret: true, // some providers want their key in it
  }),
  RATES_KEY: text({
    description: 'The key for RATES_URL, sent as "Authorization: Bearer", where its provider wants one.',
    pattern: '^[\\x21-\\x7e]*$',
    default: '',
    must: 'printable characters without spaces',
    secret: true,
  }),
  STRIPE_SECRET_KEY: text({
    description: 'Connects live sales in USD to Stripe: a secret key, or a restricted one.',
    pattern: '^$|^[sr]k_(live|test)_[A-Za-z0-9_]{8,250}$',
    default: '',
    must: 'a key of Stripe: sk_live_…, rk_live_…, sk_test_… or rk_test_…',
    secret: true,
  }),
  STRIPE_PUBLISHABLE_KEY: text({
    description: 'The key for Stripe’s card field on the checkout page. STRIPE_SECRET_KEY needs it.',
    pattern: '^$|^pk_(live|test)_[A-Za-z0-9_]{8,250}$',
    default: '',
    must: 'a publishable key of Stripe: pk_live_… or pk_test_…',
  }),
  STRIPE_WEBHOOK_SECRETS: text({
    description:
      'The signing secret of the endpoint that Stripe calls, PUBLIC_URL/rails/stripe/callbacks; two with a comma ' +
      'between them while it is being replaced. STRIPE_SECRET_KEY needs it.',
    pattern: '^$|^whsec_[A-Za-z0-9_+/=]{8,250}(\\s*,\\s*whsec_[A-Za-z0-9_+/=]{8,250})*$',
    default: '',
    must: 'whsec_…, several separated by commas',
    secret: true,
  }),
  STRIPE_API_URL: text({
    description:
      'Another address of Stripe’s API, such as that of a proxy or of a double; Stripe’s own if it is empty.',
    pattern: railUrl,
    default: '',
    must: railUrlMust,
  }),
  PAYSTACK_SECRET_KEY: text({
    description:
      'Connects live sales in NGN, GHS, KES and XOF and live payouts in NGN, GHS and KES to Paystack. Its callbacks ' +
      'to PUBLIC_URL/rails/paystack/callbacks are signed with it.',
    pattern: '^$|^sk_(live|test)_[A-Za-z0-9_]{8,250}$',
    default: '',
    must: 'a secret key of Paystack: sk_live_… or sk_test_…',
    secret: true,
  }),
  PAYSTACK_OLD_SECRET_KEYS: text({
    description: 'Keys of Paystack that were replaced, separated by commas: callbacks signed with them still count.',
    pattern: '^$|^sk_(live|test)_[A-Za-z0-9_]{8,250}(\\s*,\\s*sk_(live|test)_[A-Za-z0-9_]{8,250})*$',
    default: '',
    must: 'secret keys of Paystack, several separated by commas',
    secret: true,
  }),
  PAYSTACK_API_URL: text({
    description:
      'Another address of Paystack’s API, such as that of a proxy or of a double; Paystack’s own if it is empty.',
    pattern: railUrl,
    default: '',
    must: railUrlMust,
  }),
  REVIEW_PAYOUT_ABOVE_USD: dollars(10_000, 'A live payout that is worth more, in US dollars, is held for a reviewer.'),
  REVIEW_FIRST_PAYOUT_ABOVE_USD: dollars(2_000, 'The same for the first live payout to a destination.'),
  REVIEW_PAYOUTS_PER_HOUR: whole({
    description: 'Further live payouts of one account within an hour are held for a reviewer.',
    minimum: 0,
    maximum: 1_000_000,
    default: 20,
    must: 'a whole number from 0 to 1000000',
  }),
  SECOND_APPROVAL_ABOVE_USD: dollars(
    1_000,
    'Staff who mark a stuck payout, refund, payment or another resource as settled or failed need the approval of a ' +
      'second person if it is worth more, in US dollars.',
  ),
  ALLOW_LOOPBACK_WEBHOOKS: whole({
    description: '1 also delivers webhooks to this machine, over plain http. Refused if DEPLOYMENT is live.',
    minimum: 0,
    maximum: 1,
    default: 0,
    must: '0 or 1',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'The lowest level of messages that are logged.',
    default: 'info',
  }),
})

export type Variables = Static<typeof Environment>
