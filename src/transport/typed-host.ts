/*
 * An address that somebody types in, to try it, must not open the network that this program runs in: a name may lead to public
 * addresses only, an address in a private range only to itself, and what clouds tell their machines is out of bounds.
 */
import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns'

import ipaddr from 'ipaddr.js'

import { isLoopbackName } from '../domain/company.ts'
import { AppError } from '../domain/errors.ts'

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

type LookUpAll = (
  name: string,
  options: LookupOptions & { readonly all: true },
  found: (error: Error | null, addresses?: LookupAddress[]) => void,
) => void

/** `private`: the name leads into a private network; `never`: there is nothing that anybody may ask for. */
export type HostRefusal = 'private' | 'never'

/** One host, and where connections to it may lead. */
export class TypedHost {
  readonly #origin: string
  readonly #host: string
  readonly #lookUpAll: LookUpAll

  constructor(address: string, lookUpAll: LookUpAll = lookUp) {
    const { origin, hostname } = new URL(address)
    this.#origin = origin
    this.#host = hostname.replace(/^\[(.+)\]$/, '$1')
    this.#lookUpAll = lookUpAll
  }

  /** Why nothing is sent there; null if something is, or if the name has no address. */
  async findRefusal(): Promise<HostRefusal | null> {
    if (ipaddr.isValid(this.#host)) return this.#refusalOf(this.#host)
    const found = Promise.withResolvers<readonly LookupAddress[]>()
    this.#lookUpAll(this.#host, { all: true }, (_, addresses) => found.resolve(addresses ?? []))
    const refusals = (await found.promise).map(({ address }) => this.#refusalOf(address))
    return refusals.find((it) => it !== null) ?? null
  }

  /** Fails with `upstream_unavailable` for another origin, or an address that is out of bounds. */
  check(url: URL): void {
    if (url.origin !== this.#origin) throw refused('another address than the one that was typed')
    // Nothing is looked up for an address in digits.
    if (ipaddr.isValid(this.#host) && this.#refusalOf(this.#host)) throw outOfBounds()
  }

  /** As `net.connect` looks up names, so that what a name leads to is checked each time somebody connects. */
  readonly lookup = (name: string, options: LookupOptions, found: Found): void => {
    this.#lookUpAll(name, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses
      if (error || !first) return found(error ?? outOfBounds(), [])
      if (addresses.some(({ address }) => this.#refusalOf(address))) return found(outOfBounds(), [])
      if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }

  #refusalOf(address: string): HostRefusal | null {
    const range = rangeOf(address)
    if (range === 'never' || range === 'public') return range === 'never' ? range : null
    const isMeant = ipaddr.isValid(this.#host) || (isLoopbackName(this.#host) && range === 'own')
    return isMeant ? null : 'private'
  }
}

/** Where clouds answer machines about themselves, beside the link-local addresses. */
const ofClouds = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'])
const withinNetworks = new Set(['private', 'uniqueLocal', 'carrierGradeNat'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

function rangeOf(text: string): 'public' | 'private' | 'own' | 'never' {
  const address = ipaddr.process(text.replace(/%.*$/, ''))
  const range = address.range()
  if (ofClouds.has(address.toString())) return 'never'
  if (range === 'loopback') return 'own'
  if (withinNetworks.has(range)) return 'private'
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(globalUnicast)
  return range === 'unicast' && isGlobal ? 'public' : 'never'
}

function outOfBounds(): AppError {
  return refused('an address in a private network, or one that is nobody’s to ask')
}

function refused(where: string): AppError {
  return new AppError('upstream_unavailable', `Nothing was sent: the way led to ${where}.`)
}
