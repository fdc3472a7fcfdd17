/** The port on which programs inside a sandbox reach the proxy. The sandbox has a network of its own. */
const PORT = 3128

/**
 * A program for Node, as text: a sandbox may not show the files of this package. It passes connections on to the socket of
 * the proxy, and ends with the exit code of the program that it starts.
 */
const RELAY = `
const net = require('node:net')
const { spawn } = require('node:child_process')
const { constants } = require('node:os')
const [socketPath, command, ...args] = process.argv.slice(1)
const server = net.createServer((near) => {
  const far = net.connect(socketPath)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
  near.pipe(far)
  far.pipe(near)
})
server.on('error', () => process.exit(125))
server.listen(${PORT}, '127.0.0.1', () => {
  const child = spawn(command, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', () => process.exit(127))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
})
`

/** The program with the relay around it. */
export function withRelay(
  program: { readonly command: string; readonly args: readonly string[] },
  socketPath: string,
): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: ['-e', RELAY, '--', socketPath, program.command, ...program.args],
  }
}

/** The variables by which programs know their proxy. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries([
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [
    name,
    `http://127.0.0.1:${PORT}`,
  ]),
  ...['NO_PROXY', 'no_proxy'].map((name) => [name, 'localhost,127.0.0.1,::1']),
  ['NODE_USE_ENV_PROXY', '1'],
])
