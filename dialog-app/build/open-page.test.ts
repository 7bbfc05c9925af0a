import type { Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { linksFor } from './open-page.config.ts'

const chunk = (name: string, moduleIds: string[], imports: string[] = [], styles: string[] = []) =>
  ({
    type: 'chunk',
    fileName: `assets/${name}.js`,
    moduleIds,
    imports: imports.map((each) => `assets/${each}.js`),
    viteMetadata: { importedCss: new Set(styles.map((each) => `assets/${each}.css`)) },
  }) as unknown as Rolldown.OutputChunk

const files = [
  chunk('core', ['/dialog-app/main.ts']),
  chunk('dialog', ['/dialog-app/start-dialog.ts'], ['core']),
  chunk('face', ['/dialog-app/face/index.tsx'], ['core', 'runtime'], ['face']),
  chunk('runtime', ['rolldown/runtime.js']),
  chunk('landing', ['/dialog-app/capabilities/landing/landing-screen.tsx'], ['face']),
  chunk('email', ['/dialog-app/capabilities/email/email-entry.tsx'], ['face']),
  chunk('codes', ['/dialog-app/capabilities/codes/code-screen.tsx'], ['face'], ['codes']),
  chunk('ar', ['/dialog-app/capabilities/codes/texts.ar.ts']),
  chunk('sms', ['/dialog-app/capabilities/sms/phone-entry.tsx'], ['face', 'phone']),
  chunk('phone', ['/dialog-app/ui/phone/phone-field.tsx'], ['face'], ['phone']),
  chunk('sign', ['/dialog-app/capabilities/sign/request-screen.tsx'], ['face'], ['sign']),
]
const bundle = Object.fromEntries(files.map((file) => [file.fileName, file]))

test('the page of a call that waits asks at once for what a login needs, and for nothing else', () => {
  const html = '<script type="module" src="/assets/core.js"></script>'
  const asked = linksFor(html, bundle).map(({ attrs }) => [attrs?.rel, attrs?.href])
  expect(asked).toEqual([
    ['modulepreload', '/assets/dialog.js'],
    ['modulepreload', '/assets/face.js'],
    ['modulepreload', '/assets/runtime.js'],
    ['modulepreload', '/assets/landing.js'],
    ['modulepreload', '/assets/email.js'],
    ['modulepreload', '/assets/codes.js'],
    ['stylesheet', '/assets/face.css'],
    ['stylesheet', '/assets/codes.css'],
  ])
})
