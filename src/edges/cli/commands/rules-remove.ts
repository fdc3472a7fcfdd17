import type { RunCommand } from '../command.js'
import { changeRule } from '../change-rule.js'

export const run: RunCommand = (given, terminal) => changeRule(given, terminal, 'remove_rules')
