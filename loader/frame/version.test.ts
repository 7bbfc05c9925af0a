import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { loaderVersion } from './version.ts'

it('the version that the loader tells is the package’s', () => {
  expect(loaderVersion).toBe(manifest.version)
})
