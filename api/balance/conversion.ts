import Type from 'typebox'
import { Conversion as ConversionRow } from '../../db/balance/conversion.ts'
import { useQuote } from '../../db/balance/conversion-quote.ts'
import { openConversion } from '../../commands/open-conversion.ts'
import { simulatedOutcomes } from '../../domain/simulation.ts'
import { mergeMetadata } from '../../domain/metadata.ts'
import { conversionStatuses } from '../../domain/balance/conversion.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, singleLine, Metadata, nullable, page, pageQuery } from '../../schemas/common.ts'
import { Conversion, presentConversion } from '../../schemas/balance/conversion.ts'
import { assertExchangeable } from './conversion-quote.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'

const CreateConversion = Type.Object(
  {
    quote_id: Type.String({ minLength: 1, maxLength: 64, examples: ['quo_…'] }),
    reference: Type.Optional(nullable(singleLine(128))),
    metadata: Type.Optional(Metadata),
    simulated_outcome: Type.Optional(Type.Enum([...simulatedOutcomes], { description: 'In the sandbox only.' })),
  },
  { $id: 'CreateConversion' },
)

export const createConversion = operation({
  method: 'post',
  path: '/v1/conversions',
  summary: 'Convert money at the price of a quote; a quote is used once',
  tag: 'Conversions',
  auth: ['apiKey'],
  scope: 'conversions:write',
  body: CreateConversion,
  needs: 'begins',
  returns: [201, Conversion],
  refuses: [
    'NOT_FOUND',
    'QUOTE_EXPIRED',
    'QUOTE_ALREADY_USED',
    'INSUFFICIENT_BALANCE',
    'ACCOUNT_NOT_ACTIVATED',
    'SIMULATION_NOT_ALLOWED',
  ],

  async handle({ body, caller, em, now, services }) {
    if (body.simulated_outcome) assertSandbox(caller)
    assertExchangeable(services, caller)
    const quote = await useQuote(em, caller, body.quote_id, now)
    const { reference = null, simulated_outcome: simulatedOutcome = null } = body
    const metadata = mergeMetadata({}, body.metadata)
    return presentConversion(await openConversion(em, quote, { reference, metadata, simulatedOutcome }, now))
  },
})

export const getConversion = operation({
  method: 'get',
  path: '/v1/conversions/{conversion_id}',
  summary: 'Read a conversion',
  tag: 'Conversions',
  auth: ['apiKey'],
  scope: 'conversions:read',
  params: Type.Object({ conversion_id: idParameter('cnv') }),
  returns: [200, Conversion],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const row = await em.findOne(ConversionRow, { id: params.conversion_id, accountId, environment })
    if (!row) throw new Refusal('NOT_FOUND', 'no such conversion')
    return presentConversion(row)
  },
})

const ListConversions = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...conversionStatuses])),
  reference: Type.Optional(Type.String({ maxLength: 128 })),
})

export const listConversions = operation({
  method: 'get',
  path: '/v1/conversions',
  summary: 'List conversions, newest first',
  tag: 'Conversions',
  auth: ['apiKey'],
  scope: 'conversions:read',
  query: ListConversions,
  returns: [200, page(Conversion)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = whereMatching(caller, query, { status: 'status', reference: 'reference' })
    const { rows, pagination } = await listPage({ em, services }, ConversionRow, where, query)
    return { items: rows.map(presentConversion), pagination }
  },
})
