import { findProgram } from '../../../platform/files/find-program.js'

export type DesktopAction = 'notify' | 'open' | 'clipboard.read' | 'clipboard.write'

/** A program of the desktop that does something. */
export interface DesktopCommand {
  readonly command: string
  /** Its arguments; texts are never parts of a script. */
  args(values: readonly string[]): readonly string[]
  /** Whether the first value is given as standard input. */
  readonly takesStdin?: boolean
}

export interface Desktop {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
}

interface Choice {
  readonly program: string
  readonly needs: 'wayland' | 'x11' | 'any' | 'mac'
  readonly args: (values: readonly string[]) => readonly string[]
  readonly takesStdin?: boolean
}

const NOTIFY_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
].flatMap((line) => ['-e', line])

/** In the order in which they are tried. */
const CHOICES: Readonly<Record<DesktopAction, readonly Choice[]>> = {
  notify: [
    { program: 'notify-send', needs: 'any', args: (texts) => ['--app-name=Toolcrib', '--', ...texts] },
    { program: 'osascript', needs: 'mac', args: (texts) => [...NOTIFY_SCRIPT, ...texts] },
  ],
  open: [
    { program: 'xdg-open', needs: 'any', args: (targets) => targets },
    { program: 'open', needs: 'mac', args: (targets) => ['--', ...targets] },
  ],
  'clipboard.read': [
    { program: 'wl-paste', needs: 'wayland', args: () => ['--no-newline'] },
    { program: 'xclip', needs: 'x11', args: () => ['-selection', 'clipboard', '-out'] },
    { program: 'xsel', needs: 'x11', args: () => ['--clipboard', '--output'] },
    { program: 'pbpaste', needs: 'mac', args: () => [] },
  ],
  'clipboard.write': [
    { program: 'wl-copy', needs: 'wayland', args: () => [], takesStdin: true },
    { program: 'xclip', needs: 'x11', args: () => ['-selection', 'clipboard', '-in'], takesStdin: true },
    { program: 'xsel', needs: 'x11', args: () => ['--clipboard', '--input'], takesStdin: true },
    { program: 'pbcopy', needs: 'mac', args: () => [], takesStdin: true },
  ],
}

/** The program for an action, or one sentence that says what is missing. */
export function desktopCommand(
  action: DesktopAction,
  { platform, env }: Desktop,
): DesktopCommand | { readonly missing: string } {
  const isMac = platform === 'darwin'
  const has = {
    mac: isMac,
    wayland: !isMac && isSet(env['WAYLAND_DISPLAY']),
    x11: !isMac && isSet(env['DISPLAY']),
    any: !isMac && (isSet(env['WAYLAND_DISPLAY']) || isSet(env['DISPLAY'])),
  }
  const usable = CHOICES[action].filter(({ needs }) => has[needs])
  if (usable.length === 0)
    return {
      missing: `native.${action} needs a desktop, and this session has none (neither DISPLAY nor WAYLAND_DISPLAY).`,
    }
  for (const { program, args, takesStdin = false } of usable) {
    const command = findProgram([program], env)
    if (command !== undefined) return { command, args, takesStdin }
  }
  return {
    missing: `native.${action} needs ${usable.map(({ program }) => program).join(' or ')}; install it.`,
  }
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''
