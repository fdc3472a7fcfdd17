import { amlSchemes, amlTransports, schemeProblem } from '../../../credentials/scheme-of-transport.js'
import { databaseEngines, toolStatuses, toolTypes } from '../../../sources/tool-file/compiled.js'
import { ID_PATTERN } from '../../../sources/tool-file/compile/compile-tool.js'
import { queueProviders } from '../../../sources/tool-file/compile/transport/compile-queue.js'
import { ADDRESS_PATTERN } from '../../../sources/tool-file/compile/transport/check-address.js'
import { ENDPOINT_PATTERN } from '../../../sources/tool-file/compile/transport/compile-rest.js'
import {
  cloudProviders,
  functionIdForms,
  type CloudProvider,
} from '../../../sources/tool-file/compile/transport/function-id.js'
import { fieldsProblem, secretProblem, type NewTool, type NewToolOption } from './new-tool-text.js'

export interface NewToolQuestion {
  readonly option: NewToolOption
  readonly flag: string
  readonly question: string
  /** Whether it is a question for this tool. */
  isFor?(tool: NewTool): boolean
  /** Asked only for what a person must decide; the others have a default. */
  readonly isQuiet?: boolean
  choices?(tool: NewTool): readonly string[]
  /** What an empty answer means. */
  preset?(tool: NewTool): string | undefined
  /** What is wrong with an answer, as one sentence. */
  problem?(answer: string, tool: NewTool): string | undefined
}

const isOver =
  (...transports: readonly string[]) =>
  ({ transport = '' }: NewTool): boolean =>
    transports.includes(transport)
const hasSecret = ({ credentials = 'none' }: NewTool): boolean =>
  ['api-key', 'bearer-token', 'service-account'].includes(credentials)
const needsTransport = ({ type }: NewTool): boolean => type !== 'function'
const acts = ({ type }: NewTool): boolean => type === 'action' || type === 'human'

/** Every question about a new tool, in the order in which they are asked: later ones depend on earlier ones. */
export const newToolQuestions: readonly NewToolQuestion[] = [
  {
    option: 'id',
    flag: '<id>',
    question: 'Id of the tool',
    problem: (id) =>
      new RegExp(ID_PATTERN).test(id)
        ? undefined
        : 'An id has 3 to 64 lower-case letters, digits, hyphens and underscores.',
  },
  { option: 'name', flag: '--name', question: 'Name for people', preset: ({ id = '' }) => titleOf(id) },
  {
    option: 'description',
    flag: '--description',
    question: 'What it does, in one or more sentences for a model',
  },
  { option: 'owner', flag: '--owner', question: 'Team that owns it' },
  {
    option: 'type',
    flag: '--type',
    question: 'Type',
    choices: () => toolTypes,
    preset: () => 'retrieval',
  },
  {
    option: 'transport',
    flag: '--transport',
    question: 'Transport',
    isFor: needsTransport,
    choices: () => amlTransports,
    preset: () => 'rest-api',
  },
  {
    option: 'provider',
    flag: '--provider',
    question: 'Provider',
    isFor: isOver('lambda', 'message-queue'),
    choices: ({ transport }) => (transport === 'lambda' ? cloudProviders : queueProviders),
    preset: () => 'aws',
  },
  {
    option: 'engine',
    flag: '--engine',
    question: 'Database engine',
    isFor: isOver('database'),
    choices: () => databaseEngines,
    preset: () => 'postgresql',
  },
  {
    option: 'url',
    flag: '--url',
    question: 'Address (of the API, the MCP server or the queue)',
    isFor: isOver('rest-api', 'mcp', 'message-queue'),
    // The forms of queues are many; the compiler knows them.
    problem: (url, { transport }) =>
      transport === 'message-queue' || new RegExp(ADDRESS_PATTERN).test(url)
        ? undefined
        : 'An address begins with https:// or http://.',
  },
  {
    option: 'endpoint',
    flag: '--endpoint',
    question: 'Method and path',
    isFor: isOver('rest-api'),
    preset: ({ type, id = '' }) => `${type === 'retrieval' ? 'GET' : 'POST'} /${id}`,
    problem: (endpoint) =>
      new RegExp(ENDPOINT_PATTERN).test(endpoint)
        ? undefined
        : 'Write a method and a path, such as "POST /send"; fields of the input are in braces.',
  },
  {
    option: 'mcpTool',
    flag: '--mcp-tool',
    question: 'Name of the tool on the MCP server',
    isFor: isOver('mcp'),
    preset: ({ id }) => id,
  },
  {
    option: 'responseUrl',
    flag: '--response-url',
    question: 'Address of the queue with the answers',
    isFor: (tool) => isOver('message-queue')(tool) && tool.type === 'retrieval',
  },
  {
    option: 'function',
    flag: '--function',
    question: 'Id of the function',
    isFor: isOver('lambda'),
    problem(id, { provider }) {
      const { form, words } = functionIdForms[provider as CloudProvider]
      return new RegExp(form).test(id) ? undefined : `The id must be ${words}.`
    },
  },
  {
    option: 'credentials',
    flag: '--credentials',
    question: 'Credentials',
    isFor: needsTransport,
    choices: schemesFor,
    preset: (tool) => schemesFor(tool)[0],
  },
  {
    option: 'header',
    flag: '--header',
    question: 'Header of the key',
    isFor: ({ credentials }) => credentials === 'api-key',
    preset: () => 'X-API-Key',
  },
  {
    option: 'secret',
    flag: '--secret',
    question: 'Where the secret is',
    isFor: hasSecret,
    preset: ({ id = '' }) => `env:${id.toUpperCase().replaceAll('-', '_')}_TOKEN`,
    problem: secretProblem,
  },
  {
    option: 'input',
    flag: '--input',
    question: 'Fields of the input (name:type, name?:type)',
    preset: inputPreset,
    problem: fieldsProblem,
  },
  {
    option: 'output',
    flag: '--output',
    question: 'Fields of the output',
    isQuiet: true,
    preset: outputPreset,
    problem: fieldsProblem,
  },
  { option: 'useWhen', flag: '--use-when', question: 'Use it when' },
  { option: 'avoidWhen', flag: '--avoid-when', question: 'Avoid it when' },
  { option: 'sideEffects', flag: '--side-effects', question: 'What a call changes', isFor: acts },
  {
    option: 'status',
    flag: '--status',
    question: 'Status',
    isQuiet: true,
    choices: () => toolStatuses,
    preset: () => 'draft',
  },
]

/** Schemes that one line can set up; the others are written into the file by hand. */
function schemesFor({ transport }: NewTool): readonly string[] {
  const owner = amlTransports.find((each) => each === transport)
  const possible = amlSchemes.filter(
    (scheme) => scheme !== 'oauth2' && owner !== undefined && schemeProblem(scheme, owner) === undefined,
  )
  return transport === 'database' ? possible.filter((scheme) => scheme !== 'iam-role') : possible
}

/** A service decides what its result is. Without a list, the output of a query would be its first row. */
function outputPreset({ transport, type }: NewTool): string {
  if (transport !== 'database') return 'result?:any'
  return type === 'action' ? 'affected_rows:integer' : 'rows:array'
}

function inputPreset({ transport, endpoint = '' }: NewTool): string {
  const inPath = [...endpoint.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)
  if (inPath.length > 0) return inPath.join(', ')
  return transport === 'database' ? 'id' : 'query'
}

function titleOf(id: string): string {
  const words = id.split(/[-_]+/).filter((word) => word !== '')
  return words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join(' ')
}
