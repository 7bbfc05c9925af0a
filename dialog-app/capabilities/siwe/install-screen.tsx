import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './install-screen.module.css'
import { texts } from './texts.arb'

export type InstallState = {
  /** Undefined where the host offers whichever one is there, and there is none. */
  readonly wallet: { readonly name: string; readonly extension: string } | undefined
}

export function InstallScreen({ state: { wallet } }: PartProps<InstallState, NoEvents>) {
  const { install } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{wallet ? install.title({ wallet: wallet.name }) : install.none}</Title>
        <Lead>{install.detail}</Lead>
      </Heading>
      <ol className={styles.steps}>
        <li>{wallet ? install.extensionOf({ wallet: wallet.name }) : install.extension}</li>
        <li>{install.setUp}</li>
        <li>{install.phrase}</li>
        <li>{install.reload}</li>
      </ol>
      {wallet && <ButtonLink href={wallet.extension}>{install.button({ wallet: wallet.name })}</ButtonLink>}
    </Stack>
  )
}
