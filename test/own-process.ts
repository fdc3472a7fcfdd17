/**
 * A test file that imports this gets a process of its own (see vitest.config.ts). It looks at state of the whole process,
 * such as files in a temporary folder, counters of a module, or whether the process has run tools.
 */
export {}
