const phone = /\b(?:Android|iPhone|iPad|iPod)\b/i

/** Returns whether the device is a phone, or a tablet that identifies itself. */
export const isPhone = (userAgent: string): boolean => phone.test(userAgent)

/** In-app browsers that identify themselves: Facebook, Messenger, Instagram, Snapchat and LinkedIn. */
const inAppBrowser = /\bFBA[NV]\/|\bFB_IAB\/|\bInstagram\b|\bSnapchat\b|\bLinkedInApp\b/i

/** Returns whether the page runs in an in-app browser, which has no windows or tabs. */
export const isInsideApp = (userAgent: string): boolean => inAppBrowser.test(userAgent)
