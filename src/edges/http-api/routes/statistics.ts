import { errorMessage } from '../../../platform/text/error-message.js'
import { badRequest } from '../problem.js'
import { readTime } from '../requests/read-time.js'
import { READERS } from '../role-groups.js'
import type { Route } from '../route.js'
import { shape, text, time } from '../shapes.js'

const count = { type: 'integer', minimum: 0 } as const
const ms = { type: 'number', minimum: 0 } as const

const numbers = {
  calls: count,
  errors: { ...count, description: 'Without denials and cancellations.' },
  denials: count,
  canceled: count,
  approvals: { ...count, description: 'Approvals that were requested.' },
  p50_ms: { ...ms, description: 'The time of calls that ran, without their waits.' },
  p95_ms: ms,
  p99_ms: ms,
  wait_ms_p95: { ...ms, description: 'How long calls that ran waited for their turn.' },
  person_wait_ms_p95: {
    ...ms,
    description: 'How long calls waited for people, of those that had to.',
  },
  tokens_saved: { ...count, description: 'Tokens that surfaces saved by deferring tools.' },
}
const always = ['calls', 'errors', 'denials', 'canceled', 'approvals', 'tokens_saved']

const group = {
  calls: count,
  errors: count,
  denials: count,
  p50_ms: ms,
  p95_ms: ms,
  last_error: shape({ at: time, invocation_id: text, error_class: text }, ['at', 'invocation_id']),
}

const statistics: Route = {
  method: 'get',
  path: '/statistics',
  operationId: 'getStatistics',
  tag: 'Statistics',
  summary: 'Read numbers about calls over time',
  description:
    'Calls count at the time when they ended. Of the last two days every minute is known, of five weeks every hour, of older times every day: the steps are then longer than asked. While old calls are still being counted, is_complete is false.',
  roles: READERS,
  query: {
    since: { ...time, description: 'Default: one day before until.' },
    until: { ...time, description: 'Default: now.' },
    step_ms: {
      type: 'integer',
      minimum: 1000,
      maximum: 10_000_000_000,
      description: 'The length of a step. Default: chosen so that there are about a hundred.',
    },
  },
  success: [
    {
      status: 200,
      description: 'The numbers.',
      schema: shape(
        {
          since: time,
          until: time,
          step_ms: count,
          points: { type: 'array', items: shape({ at: time, ...numbers }, ['at', ...always]) },
          totals: shape(numbers, always),
          by_tool: {
            type: 'array',
            items: shape({ tool_id: text, tool_name: text, source: text, ...group }, [
              'tool_id',
              'calls',
              'errors',
            ]),
          },
          by_source: {
            type: 'array',
            items: shape({ source: text, ...group }, ['source', 'calls', 'errors']),
          },
          is_complete: { type: 'boolean' },
        },
        ['since', 'until', 'step_ms', 'points', 'totals', 'by_tool', 'by_source', 'is_complete'],
      ),
    },
  ],
  async handle({ api, tenant, query }) {
    const { since, until, step_ms: stepMs } = query as { since?: string; until?: string; step_ms?: number }
    try {
      const body = await api.crib.statistics({
        tenant,
        since: readTime(since, 'query/since'),
        until: readTime(until, 'query/until'),
        ...(stepMs !== undefined && { stepMs }),
      })
      return { status: 200, body }
    } catch (error) {
      if (error instanceof TypeError) throw badRequest(errorMessage(error))
      throw error
    }
  },
}

export const statisticsRoutes = [statistics]
