import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { loaderVersion } from './version.ts'

it('loaderVersion equals the version of the package', () => {
  expect(loaderVersion).toBe(manifest.version)
})
