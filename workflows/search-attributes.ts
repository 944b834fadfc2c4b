import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { upsertSearchAttributes } from '@temporalio/workflow'

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD)

/** What operators search by; registered when the engine starts. */
export const searchAttributes = {
  accountId: keyword('AccountId'),
  environment: keyword('Environment'),
  resource: keyword('Resource'),
  state: keyword('State'),
  waitingOn: keyword('WaitingOn'),
}

/** Shows in the engine's list the resource's status and whom it waits for. Each call adds one event to the history. */
export function showStatus(status: string, waitingOn: string): void {
  upsertSearchAttributes([
    { key: searchAttributes.state, value: status },
    { key: searchAttributes.waitingOn, value: waitingOn },
  ])
}
