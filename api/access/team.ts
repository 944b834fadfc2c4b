import Type from 'typebox'
import { User } from '../../db/access/user.ts'
import { page, pageQuery } from '../../schemas/common.ts'
import { presentMember, TeamMember } from '../../schemas/access/team.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'

export const listMembers = operation({
  method: 'get',
  path: '/v1/team/members',
  summary: 'List the people of your organization, newest first',
  tag: 'Team',
  auth: ['user'],
  scope: null,
  query: Type.Object(pageQuery),
  returns: [200, page(TeamMember)],
  refuses: ['FORBIDDEN'],

  async handle({ query, caller: { accountId }, em, services }) {
    const { rows, pagination } = await listPage({ em, services }, User, { accountId }, query)
    return { items: rows.map(presentMember), pagination }
  },
})
