/** Import forms that dependency-cruiser does not see or does not distinguish. */
type RefusedForm = { form: RegExp; rule: string; allowedIn?: string }

const refusedForms: RefusedForm[] = [
  {
    form: /\btypeof import\(|\bimport\(\s*(['"])[^'"]+\1\s*\)\s*\.\s*[A-Z]/,
    rule: 'Import the type by a declaration',
  },
  {
    form: /new URL\(\s*(['"`])[^'"`]+\.[mc]?[jt]sx?\1\s*,\s*import\.meta\.url/,
    rule: 'Import the script, a worker with ?worker&url',
    // The browser tests start programs by their address.
    allowedIn: 'e2e/',
  },
  {
    form: /\b(?:from|import)\s*\(?\s*'(?:[^']*\/)?vault\/(?:(?:export|import)\/)?worker\.ts'/,
    rule: 'Import the address of the vault worker, ?worker&url',
  },
]

/** Returns the refused imports of a source. */
export const refusedImports = (path: string, source: string) =>
  refusedForms
    .filter(({ allowedIn }) => allowedIn === undefined || !path.startsWith(allowedIn))
    .flatMap(({ form, rule }) =>
      (form.exec(source) ?? []).slice(0, 1).map((text) => `${path}: ${rule}: ${text}`),
    )
