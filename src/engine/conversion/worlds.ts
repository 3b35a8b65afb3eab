// The objects of a request, in variants that differ in values only a server knows: uids, times, counters, status.

import type { Resource } from '../../kubernetes/api/resource.ts';
import type { AdmissionRequest, InventedFields, PossibleObjects } from '../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { ConvertedObject } from '../object/admission-object.ts';
import type { ObjectChange } from '../object/object-request.ts';
import { asStored, COUNTERS, STATUS } from '../object/stored-state.ts';
import { distinct } from '../unknown/open-fields.ts';

/** The cluster's state before the change. */
export interface StoredObjects {
  /** The object as stored on creation. */
  convert(resource: Resource): ConvertedObject;
  /** `oldObject` converted to the API version of `resource`. */
  inVersionOf(oldObject: JsonObject, resource: Resource, old: Resource): JsonObject;
}

export type RequestedObjects = Pick<AdmissionRequest, 'object' | 'oldObject'> &
  Pick<ObjectChange, 'operation'> & { readonly invented: InventedFields };

/** The first variant is the request itself; the others are built when a policy reads a field that differs. */
export function requestedObjects(
  change: ObjectChange,
  converted: ConvertedObject,
  stored: StoredObjects,
): RequestedObjects {
  if (change.operation === 'CREATE') return createdObjects(converted);
  if (change.operation === 'DELETE') return deletedObjects(stored.convert(change.resource));
  return updatedObjects(change.resource, change.old, converted, stored);
}

function createdObjects({ object, invented, open, reasonOf, possible }: ConvertedObject): RequestedObjects {
  const place = (created: JsonObject) => ({ object: created, oldObject: null });
  const worlds = () => possible().map((each) => ({ name: nameIn(each), ...place(each) }));
  return {
    operation: 'CREATE',
    ...place(object),
    invented: { paths: invented, unseen: open, possible: worlds, ...(reasonOf && { reasonOf }) },
  };
}

function deletedObjects(converted: ConvertedObject): RequestedObjects {
  const [oldObject = converted.object] = asStored([converted.object], 'before');
  const possible = () =>
    asStored(converted.possible(), 'before').map((each) => ({ name: nameIn(each), object: null, oldObject: each }));
  const invented = {
    paths: [...converted.invented, ...COUNTERS],
    unseen: unseenIn(converted),
    possible,
    ...reasonsIn(converted),
  };
  return { operation: 'DELETE', object: null, oldObject, invented };
}

function updatedObjects(
  resource: Resource,
  oldResource: Resource,
  converted: ConvertedObject,
  stored: StoredObjects,
): RequestedObjects {
  const old = stored.convert(oldResource);
  const oldObjects = (objects: readonly JsonObject[]): readonly JsonObject[] =>
    asStored(objects, 'before').map((each) => stored.inVersionOf(each, resource, oldResource));
  const possible = (): readonly PossibleObjects[] => {
    const before = oldObjects(old.possible());
    return asStored(converted.possible(), 'after').map((updated, index) => ({
      name: nameIn(updated),
      object: updated,
      oldObject: before[index] as JsonObject,
    }));
  };
  const [updated = converted.object] = asStored([converted.object], 'after');
  const [oldObject = old.object] = oldObjects([old.object]);
  const paths = [...converted.invented, ...old.invented, ...COUNTERS];
  const unseen = distinct([...unseenIn(converted), ...old.open]);
  const invented = { paths, unseen, possible, ...reasonsIn(converted.reasonOf === undefined ? old : converted) };
  return { operation: 'UPDATE', object: updated, oldObject, invented };
}

function unseenIn({ hasServerStatus, open }: ConvertedObject): readonly FieldPath[] {
  return hasServerStatus ? [STATUS, ...open] : open;
}

/** A controller overwrites any status in the file. */
function reasonsIn({ reasonOf }: ConvertedObject): Pick<InventedFields, 'reasonOf'> {
  return reasonOf === undefined ? {} : { reasonOf: (path) => (path[0] === 'status' ? undefined : reasonOf(path)) };
}

function nameIn(object: JsonObject): string {
  return textField(objectOrEmpty(object.get('metadata')), 'name');
}
