import { expect, test } from 'vitest'
import { stateFolder } from '../../../src/platform/config/state-folder.js'

const linux = { env: {}, platform: 'linux', home: '/home/ada' }
const windows = { env: {}, platform: 'win32', home: String.raw`C:\Users\ada` }

test('beside the config file', () => {
  expect(stateFolder({ ...linux, configPath: '/srv/app/toolcrib.yaml' })).toBe('/srv/app/.toolcrib')
  expect(stateFolder({ ...windows, configPath: String.raw`D:\app\toolcrib.yaml` })).toBe(
    String.raw`D:\app\.toolcrib`,
  )
})

test('Linux without a config file', () => {
  expect(stateFolder(linux)).toBe('/home/ada/.local/share/toolcrib')
  expect(stateFolder({ ...linux, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/toolcrib')
  expect(stateFolder({ ...linux, env: { XDG_DATA_HOME: '' } })).toBe('/home/ada/.local/share/toolcrib')
  expect(stateFolder({ ...linux, env: { XDG_DATA_HOME: 'relative' } })).toBe(
    '/home/ada/.local/share/toolcrib',
  )
})

test('macOS without a config file', () => {
  expect(stateFolder({ env: { XDG_DATA_HOME: '/data' }, platform: 'darwin', home: '/Users/ada' })).toBe(
    '/Users/ada/Library/Application Support/toolcrib',
  )
})

test('Windows without a config file', () => {
  expect(stateFolder({ ...windows, env: { LOCALAPPDATA: String.raw`E:\Local` } })).toBe(
    String.raw`E:\Local\toolcrib`,
  )
  expect(stateFolder(windows)).toBe(String.raw`C:\Users\ada\AppData\Local\toolcrib`)
})

test('TOOLCRIB_HOME wins with and without a config file', () => {
  const env = { TOOLCRIB_HOME: '/state', XDG_DATA_HOME: '/data' }
  expect(stateFolder({ ...linux, env })).toBe('/state')
  expect(stateFolder({ ...linux, env, configPath: '/srv/app/toolcrib.yaml' })).toBe('/state')
})
