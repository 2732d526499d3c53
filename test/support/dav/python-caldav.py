"""python3-caldav, which synchronises by tokens and fetches changed events one by one."""
import caldav
from helper import answer_all

account = {}
calendar = None
objects = None


def client():
    return caldav.DAVClient(account['url'] + '/.well-known/caldav', username=account['user'], password=account['password'])


def add(**given):
    global calendar, objects
    account.update(given)
    [calendar] = client().principal().calendars()
    objects = calendar.objects(load_objects=True)


def sync():
    try:
        objects.sync()
    except caldav.lib.error.AuthorizationError:
        return 'refused'
    return 'done'


def held():
    return [event.data for event in objects]


def use_password(password):
    account['password'] = password
    calendar.client = client()


answer_all({'add': add, 'sync': sync, 'held': held, 'use_password': use_password})
