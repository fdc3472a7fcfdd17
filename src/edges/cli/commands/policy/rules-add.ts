import type { RunCommand } from '../../program/command.js'
import { changeRule } from '../../rules/change-rule.js'

export const run: RunCommand = (given, terminal) => changeRule(given, terminal, 'add_rules')
