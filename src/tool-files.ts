/** Folders with tool files of AML, without the command line: their tools as a source. */
export { toolFileSource, type ToolFileSourceOptions } from './sources/tool-file/tool-file-source.js'
export type { ToolFolderSettings, ToolSettings } from './sources/tool-file/folder-settings.js'
export type { CodeById } from './sources/tool-file/tools/registered-code.js'
