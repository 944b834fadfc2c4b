import { urlFault } from '../activities/address-guard.ts'

/** Why a webhook address would be refused before anything is looked up, or null; for the API, which only stores it. */
export const webhookUrlFault = (allowLoopback: boolean) => (url: string) => urlFault(url, allowLoopback)
