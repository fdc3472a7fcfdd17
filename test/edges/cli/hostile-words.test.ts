import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createPlace } from './run-cli.js'

const program = fileURLToPath(new URL('../gateway/children/speaking-server.mjs', import.meta.url))

const STEERS =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b\u2066-\u2069]|\udb40[\udc00-\udc7f]/

/** The output about a server with control characters in all its texts. Raw content goes into a pipe unchanged. */
test('no command that lists or shows lets a server control the terminal', async () => {
  const place = createPlace(
    JSON.stringify({ mcpServers: { evil: { command: process.execPath, args: [program] } } }),
  )
  const run = (...args: string[]) => place.run([...args, '--config', 'toolcrib.yaml'])
  const listed = JSON.parse((await run('tools', '--json')).stdout) as unknown
  const tool = /mcp\.evil\.work[^"]*/.exec(JSON.stringify(listed))![0]
  await run('call', tool, 'do=text', '--yes')
  await run('call', tool, 'do=fail', '--yes')
  const commands = [
    ['tools'],
    ['tools', 'show', tool],
    ['tools', 'lint'],
    ['servers', 'show', 'evil'],
    ['log'],
    ['show', 'last'],
  ]
  // Two at a time: each is a process with a server of its own.
  for (let at = 0; at < commands.length; at += 2)
    await Promise.all(
      commands.slice(at, at + 2).map(async (args) => {
        const { code, stdout, stderr } = await run(...args)
        expect(code, `${args.join(' ')}: ${stderr}`).toBeLessThan(2)
        expect(
          STEERS.exec(stdout + stderr),
          `${args.join(' ')}: ${JSON.stringify(stdout.slice(0, 300))}`,
        ).toBeNull()
      }),
    )
}, 120_000)
