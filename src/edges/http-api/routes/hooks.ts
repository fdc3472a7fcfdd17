import { hookEvents } from '../../../contract/unions.js'
import { checkHome, READERS } from '../role-groups.js'
import type { Route } from '../route.js'
import { listOf, shape, text, texts } from '../shapes.js'

const list: Route = {
  method: 'get',
  path: '/hooks',
  operationId: 'listHooks',
  tag: 'Hooks',
  summary: 'List the hooks of the config',
  description: 'In the order in which they run, as the config has them, without secrets.',
  roles: READERS,
  success: [
    {
      status: 200,
      description: 'The hooks.',
      schema: listOf(
        shape({ id: text, event: { enum: hookEvents }, matching_tools: texts }, [
          'id',
          'event',
          'matching_tools',
        ]),
      ),
    },
  ],
  handle(request) {
    checkHome(request)
    const hooks = request.api.served?.hooks() ?? []
    return {
      status: 200,
      body: { items: hooks.map(({ entry, matching }) => ({ ...entry, matching_tools: matching })) },
    }
  },
}

export const hookRoutes = [list]
