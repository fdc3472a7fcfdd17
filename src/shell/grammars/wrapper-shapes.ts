import type { WrapperShape } from './find-inner-command.js'

/** Commands that add nothing of their own to the one that they run. */
export const wrapperShapes = {
  nice: { flags: '', values: '-n --adjustment' },
  time: { flags: '-p -v -l', values: '' },
  timeout: {
    flags: '-v --verbose --foreground --preserve-status',
    values: '-k --kill-after -s --signal',
    operand: /^[0-9.]+[smhd]?$/,
  },
  stdbuf: { flags: '', values: '-i --input -o --output -e --error' },
} as const satisfies Record<string, WrapperShape>
