import { runCommand, type CommandEnd } from '../../platform/processes/run-command.js'
import { setupProblem } from '../credential-problem.js'

/** The keyring of the operating system, through the command that is installed with it. */
export interface SystemKeyring {
  set(name: string, value: string): Promise<void>
  /** Undefined where the keyring has none of that name. */
  load(name: string): Promise<string | undefined>
  remove(name: string): Promise<void>
}

/** One run of the command. Values are sent to stdin: other users can see arguments. */
interface Run {
  readonly program: string
  readonly args: readonly string[]
  readonly stdin?: string
}

interface Commands {
  set(name: string, encoded: string): Run
  load(name: string): Run
  remove(name: string): Run
}

const SERVICE = 'toolcrib'
/** A person may have to unlock the keyring. */
const TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 1_000_000
/** What the commands need to reach the keyring of the session; the rest of the environment may contain secrets. */
const SESSION = [
  'PATH',
  'HOME',
  'LANG',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
]

export function systemKeyring(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): SystemKeyring {
  const commands = platform === 'darwin' ? macCommands : platform === 'win32' ? undefined : linuxCommands

  async function run(choose: (commands: Commands) => Run): Promise<Extract<CommandEnd, { kind: 'exited' }>> {
    if (!commands) throw unavailable('this system has no command for it')
    const { program, args, stdin = '' } = choose(commands)
    const end = await runCommand({
      command: program,
      args,
      stdin,
      cwd: '/',
      env: sessionOf(env),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      maxOutputBytes: MAX_OUTPUT_BYTES,
    })
    if (end.kind === 'exited') return end
    throw unavailable(whyNot(program, end))
  }

  async function load(name: string): Promise<string | undefined> {
    const { code, stdout } = await run((each) => each.load(name))
    const encoded = stdout.toString('utf8').trim()
    return code === 0 && encoded !== '' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined
  }

  return {
    async set(name, value) {
      // In Base64: the commands treat line breaks and other characters of a value in their own ways.
      const encoded = Buffer.from(value, 'utf8').toString('base64')
      const { code } = await run((each) => each.set(name, encoded))
      if (code !== 0 || (await load(name)) !== value) throw unavailable('it did not store the secret')
    },
    load,
    async remove(name) {
      await run((each) => each.remove(name))
    },
  }
}

const linuxCommands: Commands = {
  set: (name, encoded) => ({
    program: 'secret-tool',
    args: ['store', `--label=Toolcrib: ${name}`, 'service', SERVICE, 'name', name],
    stdin: encoded,
  }),
  load: (name) => ({ program: 'secret-tool', args: ['lookup', 'service', SERVICE, 'name', name] }),
  remove: (name) => ({ program: 'secret-tool', args: ['clear', 'service', SERVICE, 'name', name] }),
}

const macCommands: Commands = {
  // With -i the command line itself comes from stdin.
  set: (name, encoded) => ({
    program: 'security',
    args: ['-i'],
    stdin: `add-generic-password -U -s ${SERVICE} -a "${name}" -w "${encoded}"\n`,
  }),
  load: (name) => ({
    program: 'security',
    args: ['find-generic-password', '-s', SERVICE, '-a', name, '-w'],
  }),
  remove: (name) => ({ program: 'security', args: ['delete-generic-password', '-s', SERVICE, '-a', name] }),
}

function sessionOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(SESSION.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

function whyNot(program: string, end: Exclude<CommandEnd, { kind: 'exited' }>): string {
  switch (end.kind) {
    case 'unstartable':
      return `${program} is not installed`
    case 'aborted':
      return 'it was not unlocked in time'
    default:
      return `${program} failed`
  }
}

const unavailable = (why: string): Error =>
  setupProblem(
    `The keyring of the system cannot be used: ${why}; without TOOLCRIB_SECRETS=keyring, secrets are sealed in a file.`,
  )
