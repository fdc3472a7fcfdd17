import type { CommandRow } from '../program/command.js'

export const compile: CommandRow = {
  name: 'compile',
  summary: 'check tool files and agent files',
  details:
    'Compiles the tools/*.tool.md and agents/*.agent.md of a folder and reports every problem with its file, line, column and code; docs/tool-file-problems.md lists the codes. Nothing is called and no secret is read. Without a folder: the folders of "toolFiles" in the config, or the current one. Exit code 1 if there is an error, with --strict also if there is a warning. Where there is a toolcrib.lock, the folder is compared with it: a changed tool_id and a breaking change without a new major version are errors. Only --lock writes that file. --fix writes fixes that need no decision, and never one after which a file could not be read. With --json: an object with tools, agents, errors, warnings, problems and fixes.',
  arguments: [{ name: '[folder]', description: 'the folder that holds tools and agents' }],
  options: [
    { flags: '--strict', description: 'exit code 1 for warnings too' },
    { flags: '--fix', description: 'mend what can be mended without a decision' },
    { flags: '--lock', description: 'without errors, write toolcrib.lock: the published state' },
    { flags: '--force', description: 'with --lock: also where it breaks what was published before' },
    { flags: '--watch', description: 'compile again after each change, until Ctrl-C' },
    { flags: '--sarif', description: 'print a SARIF 2.1.0 log, for code scanning and editors' },
    { flags: '--github', description: 'print annotations for GitHub Actions' },
  ],
  examples: [
    'toolcrib compile',
    'toolcrib compile ./support --strict --github',
    'toolcrib compile --fix',
    'toolcrib compile --sarif > tools.sarif',
  ],
  load: () => import('../commands/tool-files/compile.js'),
}

export const newTool: CommandRow = {
  name: 'new tool',
  summary: 'write a new tool file',
  details:
    'Asks what the tool is and how it is called, and writes tools/<id>.tool.md, for a database also tools/<id>.sql. The file compiles without problems; a file that is there is never changed. What an option says is not asked. Without a terminal, with --yes or with --json nothing is asked: then the description, when to use it and when not, what a call of an action changes, and the address are needed as options. A new tool is a draft until its status is active. With --json: an object with tool_id and files.',
  arguments: [{ name: '[id]', description: 'the id of the tool' }],
  options: [
    { flags: '--name <name>', description: 'its name for people; by default made from the id' },
    { flags: '--description <text>', description: 'what it does, for a model' },
    { flags: '--owner <team>', description: 'who owns it; by default the owner of the other tools' },
    { flags: '--type <type>', description: 'retrieval, action, function or human; default retrieval' },
    {
      flags: '--transport <transport>',
      description: 'rest-api, mcp, database, message-queue or lambda; default rest-api',
    },
    { flags: '--url <url>', description: 'the address of the API, the MCP server or the queue' },
    { flags: '--endpoint <endpoint>', description: 'method and path of an API, such as "GET /users/{id}"' },
    { flags: '--mcp-tool <name>', description: 'the name of the tool on the MCP server' },
    { flags: '--response-url <url>', description: 'the queue with the answers' },
    { flags: '--provider <provider>', description: 'of a queue or a function: aws, gcp, azure or kafka' },
    { flags: '--function <id>', description: 'the id of a cloud function' },
    { flags: '--engine <engine>', description: 'of a database; default postgresql' },
    {
      flags: '--credentials <scheme>',
      description: 'none, bearer-token, api-key, iam-role or service-account',
    },
    { flags: '--header <name>', description: 'the header of an api-key; default X-API-Key' },
    {
      flags: '--secret <place>',
      description: 'where the secret is: env:NAME, aws_secrets_manager:ID, …; never the secret itself',
    },
    {
      flags: '--input <fields>',
      description: 'the input: name:type with commas, name?:type if optional; a string without a type',
    },
    { flags: '--output <fields>', description: 'the output, in the same form' },
    { flags: '--use-when <text>', description: 'when a model uses the tool' },
    { flags: '--avoid-when <text>', description: 'when a model does not use it' },
    { flags: '--side-effects <text>', description: 'what a call of an action changes' },
    { flags: '--status <status>', description: 'draft, active, deprecated or disabled; default draft' },
    { flags: '--dir <folder>', description: 'the folder that holds tools; as in "toolcrib compile"' },
    { flags: '-y, --yes', description: 'ask nothing; use the options and the defaults' },
  ],
  examples: [
    'toolcrib new tool',
    'toolcrib new tool search-kb --url https://kb.example.com/v2 --endpoint "POST /search"',
    'toolcrib new tool order-by-id --transport database --engine postgresql --input order_id:integer',
  ],
  load: () => import('../commands/tool-files/new-tool.js'),
}
