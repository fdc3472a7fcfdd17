import { spawn } from 'node:child_process'

/** Opens an address in the user's browser. Returns whether there is a program to try. */
export function openBrowser(url: URL, env: NodeJS.ProcessEnv = process.env): boolean {
  const opener = openerFor(process.platform, env)
  if (!opener) return false
  const [program, ...before] = opener
  // No shell in between: the address comes from a server.
  const child = spawn(program, [...before, url.href], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
  return true
}

/** The program and its first arguments; undefined where there is no display. */
export function openerFor(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined {
  const own = env['BROWSER']
  if (own) return [own]
  switch (platform) {
    case 'darwin':
      return ['open']
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler']
    default: // other systems have the opener of the desktop, where they have a desktop
      return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
  }
}
