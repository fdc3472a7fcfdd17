const both = ['stdio', 'http']

/** Every client of the report. `id` is its file in clients/, `package` is what has to be installed. */
export const clients = [
  { id: 'mcp-sdk-v1', package: '@modelcontextprotocol/sdk', transports: both },
  { id: 'mcp-sdk-v2', package: '@modelcontextprotocol/client', transports: both },
  { id: 'openai-agents', package: '@openai/agents', transports: both },
]
