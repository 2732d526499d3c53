"""Evolution's data server, as GNOME Calendar and Evolution use it."""
import os
import sqlite3

import gi

gi.require_version('ECal', '2.0')
gi.require_version('EDataServer', '1.2')
from gi.repository import ECal, EDataServer, GLib  # noqa: E402

from helper import answer_all  # noqa: E402

account = {}
cache = os.environ['XDG_CACHE_HOME']
registry = EDataServer.SourceRegistry.new_sync(None)
client = None
# Why the data server asked for a password.
asked = []


def wait(milliseconds):
    loop = GLib.MainLoop()
    GLib.timeout_add(milliseconds, loop.quit)
    loop.run()


def credentials():
    values = EDataServer.NamedParameters.new()
    values.set('username', account['user'])
    values.set('password', account['password'])
    return values


def on_credentials_required(_registry, source, reason, _pem, _errors, _error):
    asked.append(reason.value_nick)
    if reason == EDataServer.SourceCredentialsReason.REQUIRED:
        source.invoke_authenticate_sync(credentials(), None)


def add(**given):
    global client
    account.update(given)
    server = EDataServer.Source.new(None, None)
    server.get_extension('Authentication').set_user(account['user'])
    events = EDataServer.WebDAVDiscoverSupports.EVENTS
    found = EDataServer.webdav_discover_sources_sync(
        server, account['url'], events, credentials(), None)
    [calendar] = found.out_discovered_sources
    source = EDataServer.Source.new_with_uid('bridge', None)
    source.set_display_name(calendar.display_name)
    source.set_parent('caldav-stub')
    source.get_extension('Calendar').set_backend_name('caldav')
    address = GLib.Uri.parse(calendar.href, GLib.UriFlags.NONE)
    authentication = source.get_extension('Authentication')
    authentication.set_user(account['user'])
    authentication.set_method('plain/password')
    authentication.set_host(address.get_host())
    authentication.set_port(address.get_port())
    source.get_extension('WebDAV Backend').set_uri(address)
    source.get_extension('Security').set_secure(False)
    source.get_extension('Offline').set_stay_synchronized(True)
    source.get_extension('Refresh').set_enabled(False)
    registry.connect('credentials-required', on_credentials_required)
    registry.commit_source_sync(source, None)
    loop = GLib.MainLoop()

    def connected(_source, result):
        global client
        client = ECal.Client.connect_finish(result)
        loop.quit()

    ECal.Client.connect(
        registry.ref_source('bridge'), ECal.ClientSourceType.EVENTS, 30, None, connected)
    loop.run()
    sync()
    if not client.is_readonly():
        raise AssertionError('The calendar is not read-only.')


def sync():
    asked.clear()
    client.refresh_sync(None)
    # The data server does not say when it is done.
    wait(2000)
    return 'refused' if 'rejected' in asked else 'done'


def held():
    """Reads its cache file, since the data server itself waits for the right password."""
    database = sqlite3.connect(f'file:{cache}/evolution/calendar/bridge/cache.db?mode=ro', uri=True)
    rows = database.execute('select ECacheOBJ from ECacheObjects where ECacheState != 3').fetchall()
    database.close()
    return [text for (text,) in rows]


def use_password(password):
    account['password'] = password
    registry.ref_source('bridge').invoke_authenticate_sync(credentials(), None)
    wait(1000)


answer_all({'add': add, 'sync': sync, 'held': held, 'use_password': use_password})
