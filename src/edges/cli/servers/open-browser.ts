import { spawn } from 'node:child_process'

/** Shows an address in the browser of whoever sits here; whether there is a program to try it with. */
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

/** The program and its first arguments; nothing where there is no screen to show it on. */
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
    default: // every other system has the desktop's own opener, where it has a desktop
      return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
  }
}
