import helmet, { type HelmetOptions } from 'helmet'

/**
 * What browsers are told of every page: it loads from its own origin alone, nothing inline, and is shown in no
 * frame; no address of it goes out as a referrer. Whether the host is https for ever is said by who runs it.
 */
const pagePolicy: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      // Style sheets draw their arrows and check marks with data addresses.
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
}

/** Sets what that policy says on every answer behind it. */
export const setPageHeaders = helmet(pagePolicy)
