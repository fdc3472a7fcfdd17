import type { ServedConfig } from '../../../host/serving/served-config.js'
import { forbidden, notFound, Problem } from '../problem.js'
import { checkChangeable, checkHome, whoOf } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { input, shape, text, texts } from '../shapes.js'

const tag = 'Config'
const NO_FILE = 'This server has no config file; start it in a folder with one, or name one with --config.'

const problems = {
  type: 'array',
  items: shape(
    {
      line: { type: 'integer' },
      column: { type: 'integer' },
      message: text,
      severity: { enum: ['error', 'warning'] },
    },
    ['message', 'severity'],
  ),
} as const

const configText = {
  type: 'string',
  // Reading a long text occupies the server.
  maxLength: 200_000,
  description: 'The whole text of the file.',
} as const

function fileOf(request: ApiRequest): ServedConfig['file'] {
  checkHome(request)
  const { served } = request.api
  if (!served) throw notFound(NO_FILE)
  return served.file
}

const read: Route = {
  method: 'get',
  path: '/config',
  operationId: 'getConfig',
  tag,
  summary: 'Read the config file',
  description: 'Without secrets: a config that has some is not editable here.',
  roles: ['operator', 'auditor'],
  success: [
    {
      status: 200,
      description: 'The text, and the revision that a change names.',
      schema: shape(
        {
          path: text,
          text,
          revision: text,
          is_trusted: { type: 'boolean' },
          is_editable: { type: 'boolean' },
          why_not_editable: text,
        },
        ['path', 'text', 'revision', 'is_trusted', 'is_editable'],
      ),
    },
  ],
  async handle(request) {
    const found = await fileOf(request).read()
    if (!found) throw notFound(NO_FILE)
    const { path, text: shown, revision, isTrusted, whyNotEditable: why } = found
    return {
      status: 200,
      body: {
        path,
        text: shown,
        revision,
        is_trusted: isTrusted,
        is_editable: why === undefined,
        why_not_editable: why,
      },
    }
  },
}

const validate: Route = {
  method: 'post',
  path: '/config/validate',
  operationId: 'validateConfig',
  tag,
  summary: 'Check a text as the config',
  description:
    'What loading it would report, with positions. Nothing that it names is imported or run. Warnings are about parts that would have no effect.',
  roles: ['operator', 'auditor'],
  body: input({ text: configText }, ['text']),
  success: [
    {
      status: 200,
      description: 'Whether it could be used.',
      schema: shape({ valid: { type: 'boolean' }, problems }, ['valid', 'problems']),
    },
  ],
  async handle(request) {
    const { text: given } = request.body as { text: string }
    const { config, problems: found } = await fileOf(request).validate(given)
    return { status: 200, body: { valid: config !== undefined, problems: found } }
  },
}

const write: Route = {
  method: 'put',
  path: '/config',
  operationId: 'replaceConfig',
  tag,
  summary: 'Replace the config file',
  description:
    'The header If-Match has the revision that was read: if the file is another by now, nothing is written and the answer is 412. A config that was trusted stays trusted with this text; files that it names and nobody trusted yet stay untrusted, and as long as there are such files, nothing of the new config counts.',
  roles: ['operator'],
  body: input({ text: configText }, ['text']),
  success: [
    {
      status: 200,
      description: 'It was written.',
      schema: shape(
        {
          revision: text,
          is_trusted: { type: 'boolean' },
          untrusted_files: { ...texts, description: 'Files that a person at a terminal must trust first.' },
          restart_keys: { ...texts, description: 'Changed keys that count from the next start.' },
          problems,
        },
        ['revision', 'is_trusted', 'untrusted_files', 'restart_keys', 'problems'],
      ),
    },
  ],
  async handle(request) {
    checkChangeable(request)
    const file = fileOf(request)
    const { text: given } = request.body as { text: string }
    const applied = await file.apply(given, { revision: revisionOf(request), by: whoOf(request) })
    switch (applied.outcome) {
      case 'applied':
        return {
          status: 200,
          body: {
            revision: applied.revision,
            is_trusted: applied.isTrusted,
            untrusted_files: applied.untrustedFiles,
            restart_keys: applied.restartKeys,
            problems: applied.warnings,
          },
        }
      case 'changed':
        throw new Problem(
          412,
          'invalid_arguments',
          'The config was changed meanwhile, and nothing was written; read it again and make your change there.',
          { more: { revision: applied.revision } },
        )
      case 'invalid':
        throw new Problem(422, 'invalid_arguments', 'The text is no valid config, and nothing was written.', {
          errors: applied.problems.map(({ line, column, message }) => ({
            path: `line ${line ?? 1}, column ${column ?? 1}`,
            message,
          })),
          more: { problems: applied.problems },
        })
      case 'refused':
        throw forbidden(applied.message)
    }
  },
}

function revisionOf({ headers }: ApiRequest): string {
  const given = headers['if-match']
  const found = typeof given === 'string' ? /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(given.trim())?.[1] : undefined
  if (found !== undefined) return found
  throw new Problem(
    428,
    'invalid_arguments',
    'Send the header If-Match with the revision of the config that you read.',
  )
}

export const configRoutes = [read, validate, write]
