import type { Files } from '../compile-files.js'

/** The file that most cases change; its lines are numbered from 1. */
export const TOOL = `---
spec_version: "1.2"
tool_id: search-kb
version: "1.0.0"
status: active
meta:
  name: Search
  description: Finds articles. Use it for questions.
  owner: platform
type: retrieval
interface:
  input:
    type: object
    properties:
      query: { type: string }
    required: [query]
  output:
    type: object
    properties:
      ok: { type: boolean }
transport:
  type: rest-api
  base_url: https://kb.example.com
  endpoint: GET /search
  credentials:
    scheme: none
use_guidance:
  use_when: [a question]
  avoid_when: [small talk]
  side_effects: None
---
# Purpose
`

export const AGENT = `---
spec_version: "1.2"
agent_id: helper
tools:
  tool_choice: auto
  refs:
    - ref: search-kb
      approval_required: true
---
`

export const REST = TOOL.slice(TOOL.indexOf('  type: rest-api'), TOOL.indexOf('use_guidance'))

/** The lines of other transports, in the place of the lines from 22 on. */
const LAMBDA = `  type: lambda
  provider: aws
  function_id: arn:aws:lambda:eu-west-1:123456789012:function:search
  invocation_type: RequestResponse
  credentials: { scheme: iam-role }
`
const MCP = `  type: mcp
  url: https://mcp.example.com
  tool_name: search
  credentials: { scheme: none }
`
const QUEUE = `  type: message-queue
  provider: aws
  queue_url: https://sqs.example.com/1/questions
  response_queue_url: https://sqs.example.com/1/answers
  credentials: { scheme: iam-role }
`
export const DATABASE = `  type: database
  engine: postgresql
  query_method: parameterised-sql
  credentials:
    scheme: service-account
    source: env
    name: DB
`

/** What is changed: texts by texts. */
type Edits = readonly (readonly [from: string, to: string])[]

export interface BrokenCase {
  readonly title: string
  readonly files: Files
  /** Every problem: `code line:column`, with `(sql)` where it is in the SQL. */
  readonly expected: readonly string[]
}

function edited(text: string, edits: Edits): string {
  return edits.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The case changes ${from}, which is not there.`)
    return before.replace(from, () => to)
  }, text)
}

export const tool = (title: string, edits: Edits, ...expected: string[]): BrokenCase => ({
  title,
  files: { 'tools/search-kb.tool.md': edited(TOOL, edits) },
  expected,
})

const on =
  (transport: string) =>
  (title: string, edits: Edits, ...expected: string[]): BrokenCase => {
    const files: Record<string, string> = {
      'tools/search-kb.tool.md': edited(edited(TOOL, [[REST, transport]]), edits),
    }
    if (transport === DATABASE) files['tools/search-kb.sql'] = 'select 1 where a = :query'
    return { title, files, expected }
  }
export const lambda = on(LAMBDA)
export const mcp = on(MCP)
export const queue = on(QUEUE)
export const database = on(DATABASE)

export const agent = (title: string, edits: Edits, ...expected: string[]): BrokenCase => ({
  title,
  files: { 'tools/search-kb.tool.md': TOOL, 'agents/helper.agent.md': edited(AGENT, edits) },
  expected,
})

export const text = (title: string, whole: string | Uint8Array, ...expected: string[]): BrokenCase => ({
  title,
  files: { 'tools/search-kb.tool.md': whole },
  expected,
})

export const sql = (title: string, statement: string, ...expected: string[]): BrokenCase => ({
  title,
  files: { 'tools/search-kb.tool.md': edited(TOOL, [[REST, DATABASE]]), 'tools/search-kb.sql': statement },
  expected,
})

export const credentials = (title: string, lines: string, ...expected: string[]): BrokenCase =>
  tool(title, [['    scheme: none\n', lines.replaceAll(/^/gm, '    ').trimEnd() + '\n']], ...expected)

export const field = (title: string, schema: string, ...expected: string[]): BrokenCase =>
  tool(title, [['query: { type: string }', `query: { ${schema} }`]], ...expected)
