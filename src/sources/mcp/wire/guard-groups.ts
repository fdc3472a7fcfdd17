import { spawn, type ChildProcess } from 'node:child_process'

/**
 * Reads `+ <group>` and `- <group>`. When its input ends, this process has ended, even by SIGKILL: the groups that are
 * still on the list are ended. Servers that end with their own input get a second to do so.
 */
const GUARD = `
groups=
while read -r act group; do
  if [ "$act" = + ]; then groups="$groups $group"; continue; fi
  rest=
  for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done
  groups=$rest
done
[ -n "$groups" ] || exit 0
sleep 1
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`

let guard: ChildProcess | undefined
let guarded = 0

/** Ensures that a process group ends even if this process is killed. The returned function takes it off the list. */
export function guardGroup(group: number): () => void {
  // Windows has neither groups nor sh.
  if (process.platform === 'win32') return () => {}
  guard ??= startGuard()
  guarded += 1
  tell(`+ ${group}\n`)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    guarded -= 1
    tell(`- ${group}\n`)
    if (guarded > 0) return
    guard?.stdin?.end()
    guard = undefined
  }
}

function tell(line: string): void {
  if (guard?.stdin?.writable === true) guard.stdin.write(line)
}

function startGuard(): ChildProcess {
  // A process group of its own: signals from the terminal must not reach it.
  const child = spawn('sh', ['-c', GUARD], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as unknown as { unref?(): void }).unref?.()
  return child
}
