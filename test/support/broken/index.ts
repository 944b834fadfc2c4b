import { sleep } from '@temporalio/workflow'

/** The processes as a careless change would leave them: they wait before they do what they always did first. */
const careless = async (): Promise<string> => {
  await sleep(1_000)
  return 'completed'
}

export {
  careless as checkout,
  careless as conversion,
  careless as deposit,
  careless as housekeeping,
  careless as 'payout-schedule',
  careless as payout,
  careless as 'payout-destination',
  careless as refund,
  careless as 'webhook-delivery',
  careless as 'webhook-endpoint',
  careless as 'webhook-recovery',
  careless as supervisor,
}
