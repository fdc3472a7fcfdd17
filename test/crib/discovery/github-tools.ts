import { defineTool, type ToolDraft } from 'toolcrib'

const VERBS = ['list', 'create', 'update', 'close', 'merge', 'review']
const THINGS = ['releases', 'branches', 'labels', 'milestones', 'workflows']

/** The tools of a server as in the standard's example: 31, of which one searches issues. */
export function githubTools(ran: (tool: string, input: unknown) => void = () => {}): ToolDraft[] {
  const others = VERBS.flatMap((verb) => THINGS.map((thing) => `${verb}_${thing}`))
  return [
    githubTool('search_issues', {
      ran,
      description: 'Searches the issues of a repository. Takes words and labels.',
      searchHint: 'search repository issues',
      properties: { query: { type: 'string' } },
      required: ['query'],
    }),
    ...others.map((name) => {
      const [verb, thing] = name.split('_')
      return githubTool(name, {
        ran,
        description: `Can ${verb} the ${thing} of a project.`,
        searchHint: `${verb} project ${thing}`,
        properties: { project: { type: 'string' } },
        required: [],
      })
    }),
  ]
}

interface GithubTool {
  ran(tool: string, input: unknown): void
  description: string
  searchHint: string
  properties: Record<string, { type: 'string' }>
  required: string[]
}

function githubTool(name: string, { ran, description, searchHint, properties, required }: GithubTool) {
  return defineTool({
    toolId: `mcp.github.${name}`,
    namespace: 'mcp.github',
    name: `mcp__github__${name}`,
    description,
    searchHint,
    shouldDefer: true,
    isReadOnly: true,
    isOpenWorld: false,
    externalMappings: [{ source: 'mcp', server_name: 'github', tool_name: name }],
    input: { jsonSchema: { type: 'object', properties, required, additionalProperties: false } },
    execute(input: unknown) {
      ran(name, input)
      return { done: name }
    },
  })
}

export const clock = defineTool({
  namespace: 'local',
  name: 'clock',
  description: 'Tells the time.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => 'noon',
})
