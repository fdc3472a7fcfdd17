import type { FromSchema } from '../../../contract/json-schema.js'

const text = { type: 'string', minLength: 1 } as const
const texts = { type: 'array', items: text } as const
const textMap = { type: 'object', additionalProperties: { type: 'string' } } as const
const count = { type: 'integer', minimum: 1 } as const

const filesSchema = {
  title: 'settings of the file tools',
  type: 'object',
  additionalProperties: false,
  description: 'Tools that read, search and change files.',
  properties: {
    roots: {
      ...texts,
      description:
        'The folders in which the tools work, relative to this file; the folder of this file by default.',
    },
    private: {
      ...texts,
      description:
        'Patterns of files that are summarized and not shown, such as *.pem; files that usually hold keys by default.',
    },
    trash: {
      type: 'boolean',
      default: true,
      description: 'Whether deleted files can be restored: they are moved to a folder of the user.',
    },
  },
} as const

/** When a command may run outside a sandbox. */
const sandboxPolicy = {
  enum: ['required', 'preferred', 'off'],
  default: 'preferred',
  description:
    'required: a command that cannot run in a sandbox does not run. preferred: it runs without, and the record says so. off: no sandbox, except for commands that are proven to only read.',
} as const

const shellSchema = {
  title: 'settings of the shell tools',
  type: 'object',
  additionalProperties: false,
  description: 'Tools that run commands.',
  properties: {
    shell: { enum: ['bash', 'sh'], default: 'bash', description: 'The shell that runs commands.' },
    cwd: {
      ...text,
      description:
        'The folder in which commands start, relative to this file; the folder of this file by default.',
    },
    sandbox: sandboxPolicy,
    writable: {
      ...texts,
      description: 'Folders in which commands may write inside the sandbox; the working folder by default.',
    },
    network: {
      ...texts,
      description:
        'The domains that commands may reach from inside the sandbox, such as registry.npmjs.org or *.example.com; none by default.',
    },
    env: { ...textMap, description: 'More environment variables for commands; ${NAME} inserts a variable.' },
    inheritEnv: {
      ...texts,
      description: 'Names of variables that commands inherit, besides PATH, HOME, LANG, TERM and TMPDIR.',
    },
    timeoutMs: { ...count, default: 120_000, description: 'The timeout of a command, in milliseconds.' },
    limits: {
      type: 'object',
      additionalProperties: false,
      description: 'What one command may use inside the sandbox.',
      properties: {
        cpuSeconds: { ...count, description: 'Processor time of each process.' },
        memoryMb: { ...count, description: 'Memory of each process, in megabytes.' },
        processes: { ...count, description: 'The number of processes.' },
        fileSizeMb: { ...count, description: 'The size of a file that it writes, in megabytes.' },
      },
    },
  },
} as const

const codeSchema = {
  title: 'settings of the code tools',
  type: 'object',
  additionalProperties: false,
  description: 'A tool that runs code which calls other tools.',
  properties: {
    timeoutMs: {
      ...count,
      default: 30_000,
      description: 'How long the code itself may compute, in milliseconds; calls of tools do not count.',
    },
    memoryMb: { ...count, default: 64, description: 'Memory of the code, in megabytes.' },
    maxCalls: { ...count, default: 200, description: 'How many tools one run may call.' },
  },
} as const

const fetchSchema = {
  title: 'settings of the fetch tool',
  type: 'object',
  additionalProperties: false,
  description: 'A tool that fetches a page as text or Markdown.',
  properties: {
    timeoutMs: { ...count, default: 30_000, description: 'The timeout of a request, in milliseconds.' },
    maxBytes: { ...count, default: 20_000_000, description: 'The largest response, in bytes.' },
    hosts: {
      ...texts,
      description:
        'Hosts in private networks or on this machine that may be fetched, such as localhost; none by default.',
    },
    robots: {
      type: 'boolean',
      default: true,
      description: 'Whether the robots.txt of a host is obeyed.',
    },
  },
} as const

const browserSchema = {
  title: 'settings of the browser tools',
  type: 'object',
  additionalProperties: false,
  description: 'Tools that open pages in a browser and act on them.',
  properties: {
    executable: { ...text, description: 'The browser: a path of Chromium or Chrome. Found by default.' },
    hosts: {
      ...texts,
      description:
        'Hosts in private networks or on this machine that may be opened, such as localhost; none by default.',
    },
    trace: {
      type: 'boolean',
      default: false,
      description: 'Whether each session keeps a trace, which browser.close returns as an artifact.',
    },
    idleMs: {
      ...count,
      default: 600_000,
      description: 'A session without calls ends after this time, in milliseconds.',
    },
  },
} as const

const docsSchema = {
  title: 'settings of the document search',
  type: 'object',
  additionalProperties: false,
  description: 'A tool that searches a folder of Markdown files.',
  properties: {
    folder: {
      ...text,
      description: 'The folder with the files, relative to this file; the folder "docs" by default.',
    },
  },
} as const

const plain = <Title extends string, Description extends string>(title: Title, description: Description) =>
  ({ title, type: 'object', additionalProperties: false, description, properties: {} }) as const

/** The settings of each set of built-in tools. */
const builtinSchemas = {
  files: filesSchema,
  shell: shellSchema,
  code: codeSchema,
  fetch: fetchSchema,
  browser: browserSchema,
  docs: docsSchema,
  native: plain('settings of the desktop tools', 'Tools for notifications, opening files and the clipboard.'),
  artifacts: plain('settings of the artifact tools', 'Tools that list, read and write artifacts.'),
  policy: plain('settings of the policy tool', 'A tool that tells whether a call would be allowed.'),
} as const

export const builtinNames = [
  'files',
  'shell',
  'code',
  'fetch',
  'browser',
  'docs',
  'native',
  'artifacts',
  'policy',
] as const satisfies readonly (keyof typeof builtinSchemas)[]

export type BuiltinName = (typeof builtinNames)[number]

/** What the tools of a set do, in one sentence; nothing for a name that is no set. */
export function describeBuiltin(name: BuiltinName): string {
  return builtinSchemas[name]?.description ?? ''
}

export const builtinsSchema = {
  description:
    'Built-in tools: a list of names, such as [files, shell], or an object with the settings of each.',
  anyOf: [
    { type: 'array', items: { enum: builtinNames } },
    { type: 'object', additionalProperties: false, properties: builtinSchemas },
  ],
} as const

/** The settings of one set of built-in tools. */
export type BuiltinSettings<Name extends BuiltinName> = FromSchema<(typeof builtinSchemas)[Name]>
