import { join } from 'node:path'
import type { Client, ClientEnvironment, Endpoint } from './client.js'

const headersOf = ({ token }: Endpoint): Record<string, unknown> =>
  token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }

/** Where programs store their settings, by system. */
export function appFolder({ home, platform, env }: ClientEnvironment, name: string): string {
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), name)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name)
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), name)
}

const configFolder = ({ home, env }: ClientEnvironment): string =>
  env['XDG_CONFIG_HOME'] || join(home, '.config')

/** The known clients, in the order of the list. */
export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    files: ({ home }) => [join(home, '.claude.json')],
    projectFiles: ['.mcp.json'],
    format: 'json',
    key: 'mcpServers',
    folderPath: (folder) => ['projects', folder],
    overHttp: (endpoint) => ({ type: 'http', url: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ type: 'stdio', ...program }),
    // A token would be visible in the process list and in the shell history.
    command: ({ url, token }) =>
      token === undefined ? `claude mcp add --scope user --transport http toolcrib ${url}` : undefined,
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: (context) => [join(appFolder(context, 'Claude'), 'claude_desktop_config.json')],
    format: 'json',
    key: 'mcpServers',
    overStdio: (program) => ({ ...program }),
  },
  {
    id: 'cursor',
    title: 'Cursor',
    files: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    projectFiles: [join('.cursor', 'mcp.json')],
    format: 'json',
    key: 'mcpServers',
    overHttp: (endpoint) => ({ url: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ ...program }),
  },
  {
    id: 'vscode',
    title: 'VS Code',
    files: (context) => [join(appFolder(context, 'Code'), 'User', 'mcp.json')],
    projectFiles: [join('.vscode', 'mcp.json')],
    format: 'json',
    key: 'servers',
    overHttp: (endpoint) => ({ type: 'http', url: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ type: 'stdio', ...program }),
  },
  {
    id: 'codex',
    title: 'Codex',
    files: ({ home, env }) => [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
    projectFiles: [join('.codex', 'config.toml')],
    format: 'toml',
    key: 'mcp_servers',
    overHttp: ({ url, token }) => ({
      url,
      ...(token !== undefined && { http_headers: { Authorization: `Bearer ${token}` } }),
    }),
    overStdio: (program) => ({ ...program }),
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    files: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    format: 'json',
    key: 'mcpServers',
    overHttp: (endpoint) => ({ serverUrl: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ ...program }),
  },
  {
    id: 'zed',
    title: 'Zed',
    files: (context) => [
      join(
        context.platform === 'win32' ? appFolder(context, 'Zed') : join(configFolder(context), 'zed'),
        'settings.json',
      ),
    ],
    projectFiles: [join('.zed', 'settings.json')],
    format: 'json',
    key: 'context_servers',
    overHttp: (endpoint) => ({ url: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ env: {}, ...program }),
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    files: ({ home }) => [join(home, '.gemini', 'settings.json')],
    projectFiles: [join('.gemini', 'settings.json')],
    format: 'json',
    key: 'mcpServers',
    bareUrl: 'sse',
    overHttp: (endpoint) => ({ httpUrl: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ ...program }),
  },
  {
    id: 'opencode',
    title: 'opencode',
    files: (context) =>
      ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) =>
        join(configFolder(context), 'opencode', name),
      ),
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    format: 'json',
    key: 'mcp',
    overHttp: (endpoint) => ({ type: 'remote', url: endpoint.url, enabled: true, ...headersOf(endpoint) }),
    overStdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(env && { environment: env }),
      enabled: true,
    }),
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    files: ({ home }) => [join(home, '.copilot', 'mcp-config.json')],
    format: 'json',
    key: 'mcpServers',
    overHttp: (endpoint) => ({ type: 'http', url: endpoint.url, ...headersOf(endpoint), tools: ['*'] }),
    overStdio: (program) => ({ type: 'local', ...program, tools: ['*'] }),
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    files: ({ home }) => [join(home, '.lmstudio', 'mcp.json')],
    format: 'json',
    key: 'mcpServers',
    overHttp: (endpoint) => ({ url: endpoint.url, ...headersOf(endpoint) }),
    overStdio: (program) => ({ ...program }),
  },
]
