import type { FromSchema } from '../../contract/json-schema.js'
import type { toolFolderSchema, toolSettingsSchema } from '../../platform/config/schema/tool-files-schema.js'

/** The settings of one folder with tool files, in the config and in the library. */
export type ToolFolderSettings = Readonly<FromSchema<typeof toolFolderSchema>>

/** The settings of one tool. */
export type ToolSettings = Readonly<FromSchema<typeof toolSettingsSchema>>
