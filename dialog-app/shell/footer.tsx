import { product } from '@latchkey/protocol'
import { useAtomValue } from 'jotai/react'
import { useTexts } from '../i18n/context.tsx'
import { texts as shellTexts } from '../i18n/shell-texts.arb'
import { Icon } from '../ui/icon.tsx'
import { useExternalUrl } from '../ui/outside.ts'
import { brandingAtom } from './atoms.ts'
import styles from './footer.module.css'

export function Footer({ showsLegal }: { showsLegal: boolean }) {
  const shell = useTexts(shellTexts)
  const { legal } = useAtomValue(brandingAtom)
  return (
    <footer className={styles.footer}>
      {showsLegal && legal && (
        <p className={styles.legal}>
          {shell.legal.before}
          <LegalLink href={legal.terms}>{shell.legal.terms}</LegalLink>
          {shell.legal.between}
          <LegalLink href={legal.privacy}>{shell.legal.privacy}</LegalLink>
        </p>
      )}
      <p className={styles.by}>
        <Icon name="lock" size={12} />
        {shell.protectedBy({ product: product.name })}
      </p>
    </footer>
  )
}

/** That it opens a new tab is its description, so that the line itself reads to the letter. */
function LegalLink({ href, children }: { href: string; children: string }) {
  const shell = useTexts(shellTexts)
  const outside = useExternalUrl(href)
  if (outside === undefined) return <>{children}</>
  return (
    <a
      className={styles.link}
      href={outside}
      target="_blank"
      rel="noopener noreferrer"
      title={shell.opensInNewTab}
    >
      {children}
    </a>
  )
}
