FILE=model.onnx
SIZE=$(stat -c %s "$FILE"); SHA=$(sha256sum "$FILE" | cut -d' ' -f1)
api() { curl --fail-with-body -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
field() { python3 -c "import json,sys; print(json.load(sys.stdin)$1)"; }

# 1. Start an upload.
UPLOAD=$(api -X POST $WHETSTONE/api/v1/uploads -d "{\"filename\":\"$FILE\",\"size_bytes\":$SIZE,\"sha256\":\"$SHA\"}")
ID=$(echo "$UPLOAD" | field "['id']"); PART=$(echo "$UPLOAD" | field "['part_size']"); COUNT=$(echo "$UPLOAD" | field "['part_count']")

# 2. Send each part to its own link.
for N in $(seq $COUNT); do
  URL=$(api -X POST $WHETSTONE/api/v1/uploads/$ID/parts -d "{\"part_numbers\":[$N]}" | field "['parts'][0]['url']")
  tail -c +$(( (N - 1) * PART + 1 )) "$FILE" | head -c $PART > part.bin
  curl --fail-with-body -sS -X PUT --upload-file part.bin "$URL"
done

# 3. Complete it, and wait until the version is inspected.
VERSION=$(api -X POST $WHETSTONE/api/v1/uploads/$ID/complete | field "['version_id']")
until [ "$(api $WHETSTONE/api/v1/versions/$VERSION | field "['state']")" != inspecting ]; do sleep 1; done

# 4. Run it everywhere with every recipe, and read the comparison.
RUN=$(api -X POST $WHETSTONE/api/v1/runs -H "Idempotency-Key: $ID" -d "{\"version_id\":\"$VERSION\"}" | field "['id']")
until [ "$(api $WHETSTONE/api/v1/runs/$RUN | field "['ended_at']")" != None ]; do sleep 2; done
curl -sS -H "Authorization: Bearer $TOKEN" $WHETSTONE/api/v1/runs/$RUN/comparison.csv
