// A second configuration of dependency-cruiser, since folders count without tests. Tests combine the parts of a package
// in their own ways.

import imports, { tests } from '../../.dependency-cruiser.mjs'

const { options } = imports

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular-folders',
      comment: 'No two folders import each other.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [...options.exclude.path, tests] } },
}
