const both = ['stdio', 'http']

/** Clients that list and call. `id` is the file in clients/, `package` is what has to be installed. */
export const clients = [
  { id: 'mcp-sdk-v1', package: '@modelcontextprotocol/sdk', transports: both },
  { id: 'mcp-sdk-v2', package: '@modelcontextprotocol/client', transports: both },
  { id: 'ai-sdk', package: '@ai-sdk/mcp', transports: both },
  { id: 'langchain', package: '@langchain/mcp-adapters', transports: both },
  { id: 'openai-agents', package: '@openai/agents', transports: both },
  { id: 'inspector-cli', package: '@modelcontextprotocol/inspector', transports: both, needsLaterNode: true },
  // It speaks HTTP to us and nothing else.
  { id: 'mcp-remote', package: 'mcp-remote', transports: ['http'] },
  { id: 'mcporter', package: 'mcporter', transports: both },
]

/** Coding agents, by their names for `toolcrib connect`: without a key they can only say whether they are connected. */
export const agents = [
  { id: 'claude-code', package: '@anthropic-ai/claude-code', transports: both },
  { id: 'codex', package: '@openai/codex', transports: both },
  // The program itself: a lock file cannot name all platforms of opencode-ai.
  { id: 'opencode', package: 'opencode-linux-x64', transports: both },
  { id: 'gemini-cli', package: '@google/gemini-cli', transports: both },
]
