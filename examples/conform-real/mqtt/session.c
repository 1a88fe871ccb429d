/* What one message goes through in coreMQTT's state engine, whatever happens: the application and the
   network choose at every turn what is tried next, in any order and as often as they like. What the
   engine accepts is shown; what it refuses is not. */
#define MQTT_DO_NOT_USE_CUSTOM_CONFIG
#include "core_mqtt_state.c"

#ifndef ROOM
#define ROOM 2
#endif

int turn(void);
void reserved(void);
void publish_sent(void);
void publish_received(void);
void puback_sent(void);
void puback_received(void);
void pubrec_sent(void);
void pubrec_received(void);
void pubrel_sent(void);
void pubrel_received(void);
void pubcomp_sent(void);
void pubcomp_received(void);

/* An acknowledgement of any kind goes out or comes in. */
static void acknowledge(MQTTContext_t *context, uint16_t id, MQTTPubAckType_t type, MQTTStateOperation_t way)
{
    MQTTPublishState_t state;

    if (MQTT_UpdateStateAck(context, id, type, way, &state) != MQTTSuccess)
        return;
    if (way == MQTT_SEND)
        switch (type) {
        case MQTTPuback: puback_sent(); break;
        case MQTTPubrec: pubrec_sent(); break;
        case MQTTPubrel: pubrel_sent(); break;
        case MQTTPubcomp: pubcomp_sent(); break;
        }
    else
        switch (type) {
        case MQTTPuback: puback_received(); break;
        case MQTTPubrec: pubrec_received(); break;
        case MQTTPubrel: pubrel_received(); break;
        case MQTTPubcomp: pubcomp_received(); break;
        }
}

static int run(uint16_t id, MQTTQoS_t qos, int outgoing)
{
    MQTTPubAckInfo_t going[ROOM] = { { 0 } }, coming[ROOM] = { { 0 } };
    MQTTContext_t context = { 0 };
    MQTTPublishState_t state;

    context.outgoingPublishRecords = going;
    context.outgoingPublishRecordMaxCount = ROOM;
    context.incomingPublishRecords = coming;
    context.incomingPublishRecordMaxCount = ROOM;
    for (;;) {
        MQTTPubAckType_t type;
        MQTTStateOperation_t way = MQTT_SEND;

        switch (turn()) {
        case 0:
            if (outgoing && MQTT_ReserveState(&context, id, qos) == MQTTSuccess)
                reserved();
            continue;
        case 1:
            if (outgoing && MQTT_UpdateStatePublish(&context, id, MQTT_SEND, qos, &state) == MQTTSuccess)
                publish_sent();
            continue;
        case 2:
            if (!outgoing && MQTT_UpdateStatePublish(&context, id, MQTT_RECEIVE, qos, &state) == MQTTSuccess)
                publish_received();
            continue;
        case 3: type = MQTTPuback; break;
        case 4: type = MQTTPubrec; break;
        case 5: type = MQTTPubrel; break;
        case 6: type = MQTTPubcomp; break;
        default: return 0;
        }
        if (turn())
            way = MQTT_RECEIVE;
        acknowledge(&context, id, type, way);
    }
}

int send_once_acknowledged(void) { return run(7, MQTTQoS1, 1); }
int send_exactly_once(void) { return run(7, MQTTQoS2, 1); }
int receive_once_acknowledged(void) { return run(7, MQTTQoS1, 0); }
int receive_exactly_once(void) { return run(7, MQTTQoS2, 0); }
