// Usage, in the folder of a package: node ../scripts/builds/check-package.ts. `npm pack` runs it, because npm also packs
// an incomplete build.

import { missingFiles } from './missing-files.ts'

const missing = missingFiles(process.cwd())
if (missing.length > 0) {
  process.stderr.write(
    `package_incomplete: the build lacks ${missing.join(', ')}.\nRun "npm run build -w ${process.env.npm_package_name}" first, and pack when it succeeds.\n`,
  )
  process.exit(1)
}
