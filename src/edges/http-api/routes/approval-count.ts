import { READERS } from '../role-groups.js'
import type { Route } from '../route.js'
import { shape } from '../shapes.js'

const count: Route = {
  method: 'get',
  path: '/approvals/count',
  operationId: 'countApprovals',
  tag: 'Approvals',
  summary: 'Count the calls that wait for a person',
  description: 'Without their questions and inputs: for a number beside the inbox.',
  roles: READERS,
  success: [
    {
      status: 200,
      description: 'How many wait.',
      schema: shape({ waiting: { type: 'integer', minimum: 0 } }, ['waiting']),
    },
  ],
  async handle({ api, tenant }) {
    return { status: 200, body: { waiting: await api.crib.approvals.countWaiting({ tenant }) } }
  },
}

export const approvalCountRoutes = [count]
