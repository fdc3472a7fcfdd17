import type { CommandRow } from '../program/command.js'
import { configFileOptions } from './config-file-options.js'

export const addMcp: CommandRow = {
  name: 'add mcp',
  summary: 'add an MCP server to the config',
  details:
    'Shows the command or address and asks for confirmation. A yes, or --yes, also trusts the changed file if it is new or was trusted before the change. Comments and everything else in the file stay. A config that is a program is not changed. ${NAME} in a value is replaced by the environment variable when the server starts. Nothing can be added from inside a tool call.',
  arguments: [
    { name: '<name>', description: 'its name in the config' },
    { name: '[target...]', description: 'the address; or, after --, the command and its arguments' },
  ],
  options: [
    {
      flags: '--header <header>',
      isSecret: true,
      description: '"Name: value", for an address; can be repeated',
      isRepeated: true,
    },
    {
      flags: '--env <variable>',
      description: 'NAME=value, for a command; can be repeated',
      isRepeated: true,
      isSecret: true,
    },
    { flags: '--dry-run', description: 'only look; nothing is asked or written' },
    ...configFileOptions,
  ],
  examples: [
    'toolcrib add mcp files -- npx -y @modelcontextprotocol/server-filesystem .',
    `toolcrib add mcp issues https://example.com/mcp --header 'X-Key: \${KEY}'`,
    `toolcrib add mcp gh --user --env TOKEN='\${TOKEN}' -- github-mcp-server stdio`,
  ],
  widens: () => true,
  load: () => import('../commands/add/add-mcp.js'),
}

export const addOpenapi: CommandRow = {
  name: 'add openapi',
  summary: 'add an API to the config, by its OpenAPI document',
  details:
    'Reads an OpenAPI or Swagger document and shows what it would add: operations with their risks and tokens, tags, problems of the document, and credentials to set. Then it asks which operations to take and writes the entry. A yes, or --yes, also trusts the changed file if it is new or was trusted before the change. Comments and everything else in the file stay. Tools are called api.<name>.<operation>. With --json: an object with the preview, the entry, and whether it was written.',
  arguments: [{ name: '<document>', description: 'the file, or the http(s) address of the document' }],
  options: [
    {
      flags: '--name <name>',
      description:
        'its name in the config; by default made from the file, the host or the title of the document',
    },
    { flags: '--server <url>', description: 'where calls go, instead of the servers of the document' },
    { flags: '--tags <list>', description: 'only operations with one of these tags; with commas' },
    { flags: '--operations <list>', description: 'only these operations, or these too; with commas' },
    { flags: '--exclude <list>', description: 'no operations of these names or tags; with commas' },
    { flags: '--dry-run', description: 'only look; nothing is asked or written' },
    ...configFileOptions,
  ],
  examples: [
    'toolcrib add openapi ./petstore.yaml',
    'toolcrib add openapi https://example.com/openapi.json --name shop --tags orders,stock',
    'toolcrib add openapi ./petstore.yaml --server http://127.0.0.1:8080 --exclude deletePet --yes',
  ],
  widens: () => true,
  load: async () => {
    const [{ addOpenapi: command }, { previewOpenapi }] = await Promise.all([
      import('../commands/add/add-openapi.js'),
      import('../../../host/sources/preview-openapi.js'),
    ])
    return { run: command(previewOpenapi) }
  },
}

export const addTools: CommandRow = {
  name: 'add tools',
  summary: 'add a folder of tool files to the config',
  details:
    'Compiles the tool files (tools/*.tool.md) of a folder, shows each tool with its type and where its calls go, and writes the entry. A yes, or --yes, also trusts the changed file if it is new or was trusted before the change. Comments and everything else in the file stay. Tools are called aml.<name>.<tool_id>.',
  arguments: [{ name: '<folder>', description: 'the folder that holds tools/ and agents/' }],
  options: [
    { flags: '--name <name>', description: 'its name in the config; the name of the folder by default' },
    { flags: '--code <file>', description: 'the module with the code of function tools' },
    ...configFileOptions,
  ],
  examples: ['toolcrib add tools ./support', 'toolcrib add tools ./support --code ./support/code.mjs --yes'],
  widens: () => true,
  load: () => import('../commands/add/add-tools.js'),
}

export const addBuiltins: CommandRow = {
  name: 'add builtins',
  summary: 'add built-in tools to the config: files, shell, code, …',
  details:
    'Adds sets of built-in tools: files, shell, code, fetch, browser, docs, native, artifacts, policy. A config without rules also gets first rules, which keep keys unread. A yes, or --yes, also trusts the changed file if it is new or was trusted before the change. Comments and everything else in the file stay.',
  arguments: [{ name: '<set...>', description: 'the names of the sets' }],
  options: [...configFileOptions],
  examples: ['toolcrib add builtins files shell', 'toolcrib add builtins browser --yes'],
  widens: () => true,
  load: () => import('../commands/add/add-builtins.js'),
}
