import type { CommandFamily } from '../../command-spec.js'

/** Terraform and OpenTofu. Nearly all commands run the providers in the folder. */
export const terraform: CommandFamily = {
  'terraform tofu': {
    reliesOn: 'folder',
    style: 'words',
    isBare: true,
    options: '-version -help',
    helpOf: 'apply plan destroy init import taint untaint refresh get console test login logout force-unlock',
    // Not plan, which may run programs for external data, nor console and refresh. -chdir would go elsewhere.
    verbs: {
      // It checks on the network for a newer version.
      version: { isOpenWorld: true, style: 'words', options: '-json', operands: 0 },
      validate: { style: 'words', options: '-json -no-color -no-tests', operands: 0 },
      fmt: {
        style: 'words',
        // Otherwise it formats in place.
        needs: '-check',
        options: '-check -diff -list= -recursive -no-color',
      },
      // Not -json and -raw, nor the name of a value: they print sensitive values.
      'show output': { isOpenWorld: true, style: 'words', options: '-no-color', operands: 0 },
      'graph modules': {
        isOpenWorld: true,
        style: 'words',
        options: '-json -no-color -type= -draw-cycles -module-depth=',
        operands: 0,
      },
      state: {
        isOpenWorld: true,
        verbs: {
          list: { style: 'words', options: '-no-color -id=' },
          show: { style: 'words', options: '-no-color', operands: 1 },
        },
      },
      workspace: { isOpenWorld: true, verbs: { 'list show': { operands: 0 } } },
      providers: {
        isBare: true,
        verbs: { schema: { style: 'words', options: '-json', operands: 0 } },
      },
    },
  },
}
