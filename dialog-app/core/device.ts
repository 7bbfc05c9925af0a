const phone = /\b(?:Android|iPhone|iPad|iPod)\b/i

/** Also a tablet, where it says so. */
export const isPhone = (userAgent: string): boolean => phone.test(userAgent)
