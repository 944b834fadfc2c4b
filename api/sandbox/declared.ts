/** What the operations that act as somebody outside the service have in common. */
export const testHelper = {
  method: 'post',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  mode: 'process',
} as const
