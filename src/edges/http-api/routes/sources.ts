import { checkHome, READERS } from '../role-groups.js'
import type { Route } from '../route.js'
import { shape, text, time } from '../shapes.js'

const count = { type: 'integer', minimum: 0 } as const

const sourceSchema = shape(
  {
    name: text,
    entry: { ...text, description: 'Its name in the config.' },
    kind: { ...text, description: 'The key of the config that the entry is under.' },
    state: { enum: ['ready', 'connecting', 'failed', 'disabled'] },
    problem: text,
    tools: count,
    next_retry_at: time,
    restarts: { ...count, description: 'How often it was connected again.' },
    latency_ms: shape({ p50: { type: 'number' }, p95: { type: 'number' } }, ['p50', 'p95']),
    calls: count,
    errors: count,
    last_error: shape({ at: time, invocation_id: text, error_class: text, message: text }, [
      'at',
      'invocation_id',
    ]),
    requires_setup: {
      type: 'array',
      items: shape({ tools: count, message: text }, ['tools', 'message']),
    },
  },
  ['name', 'entry', 'kind', 'state', 'tools', 'calls', 'errors'],
)

const sources: Route = {
  method: 'get',
  path: '/sources',
  operationId: 'listSources',
  tag: 'Sources',
  summary: 'List the sources of tools and their health',
  description: 'The numbers are about the calls of the last day.',
  roles: READERS,
  success: [
    {
      status: 200,
      description: 'All sources of the config.',
      schema: shape(
        {
          items: { type: 'array', items: sourceSchema },
          untrusted: {
            ...shape({ message: text, command: text }, ['message', 'command']),
            description:
              'Only where the config is not trusted as it is now: what has no effect, and the command by which a person trusts it.',
          },
        },
        ['items'],
      ),
    },
  ],
  async handle(request) {
    checkHome(request)
    const { api, tenant } = request
    const untrusted = api.served?.untrusted()
    return { status: 200, body: { items: await api.sourceHealth(tenant), ...(untrusted && { untrusted }) } }
  },
}

export const sourceRoutes = [sources]
