/** What the dialog runs on: a phone can not scan its own screen, and has the app of Farcaster. */
type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** A tablet of Apple calls itself a Mac, and no Mac has a touch screen. */
export const isPhone = ({ userAgent, maxTouchPoints }: Browser): boolean =>
  /Android|iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
