/* driver_types.h: the types of the CUDA runtime's interface, with the values and layouts of CUDA 13 that NVIDIA's API reference
 * documents. */
#pragma once
#include <stddef.h>
#include "vector_types.h"

/* --- errors, attributes ----------------------------------------------------------------------------------------------- */

typedef enum cudaError {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInitializationError = 3,
	cudaErrorCudartUnloading = 4,
	cudaErrorProfilerDisabled = 5,
	cudaErrorProfilerNotInitialized = 6,
	cudaErrorProfilerAlreadyStarted = 7,
	cudaErrorProfilerAlreadyStopped = 8,
	cudaErrorInvalidConfiguration = 9,
	cudaErrorInvalidPitchValue = 12,
	cudaErrorInvalidSymbol = 13,
	cudaErrorInvalidHostPointer = 16,
	cudaErrorInvalidDevicePointer = 17,
	cudaErrorInvalidTexture = 18,
	cudaErrorInvalidTextureBinding = 19,
	cudaErrorInvalidChannelDescriptor = 20,
	cudaErrorInvalidMemcpyDirection = 21,
	cudaErrorAddressOfConstant = 22,
	cudaErrorTextureFetchFailed = 23,
	cudaErrorTextureNotBound = 24,
	cudaErrorSynchronizationError = 25,
	cudaErrorInvalidFilterSetting = 26,
	cudaErrorInvalidNormSetting = 27,
	cudaErrorMixedDeviceExecution = 28,
	cudaErrorNotYetImplemented = 31,
	cudaErrorMemoryValueTooLarge = 32,
	cudaErrorStubLibrary = 34,
	cudaErrorInsufficientDriver = 35,
	cudaErrorCallRequiresNewerDriver = 36,
	cudaErrorInvalidSurface = 37,
	cudaErrorDuplicateVariableName = 43,
	cudaErrorDuplicateTextureName = 44,
	cudaErrorDuplicateSurfaceName = 45,
	cudaErrorDevicesUnavailable = 46,
	cudaErrorIncompatibleDriverContext = 49,
	cudaErrorMissingConfiguration = 52,
	cudaErrorPriorLaunchFailure = 53,
	cudaErrorLaunchMaxDepthExceeded = 65,
	cudaErrorLaunchFileScopedTex = 66,
	cudaErrorLaunchFileScopedSurf = 67,
	cudaErrorSyncDepthExceeded = 68,
	cudaErrorLaunchPendingCountExceeded = 69,
	cudaErrorInvalidDeviceFunction = 98,
	cudaErrorNoDevice = 100,
	cudaErrorInvalidDevice = 101,
	cudaErrorDeviceNotLicensed = 102,
	cudaErrorSoftwareValidityNotEstablished = 103,
	cudaErrorStartupFailure = 127,
	cudaErrorInvalidKernelImage = 200,
	cudaErrorDeviceUninitialized = 201,
	cudaErrorMapBufferObjectFailed = 205,
	cudaErrorUnmapBufferObjectFailed = 206,
	cudaErrorArrayIsMapped = 207,
	cudaErrorAlreadyMapped = 208,
	cudaErrorNoKernelImageForDevice = 209,
	cudaErrorAlreadyAcquired = 210,
	cudaErrorNotMapped = 211,
	cudaErrorNotMappedAsArray = 212,
	cudaErrorNotMappedAsPointer = 213,
	cudaErrorECCUncorrectable = 214,
	cudaErrorUnsupportedLimit = 215,
	cudaErrorDeviceAlreadyInUse = 216,
	cudaErrorPeerAccessUnsupported = 217,
	cudaErrorInvalidPtx = 218,
	cudaErrorInvalidGraphicsContext = 219,
	cudaErrorNvlinkUncorrectable = 220,
	cudaErrorJitCompilerNotFound = 221,
	cudaErrorUnsupportedPtxVersion = 222,
	cudaErrorJitCompilationDisabled = 223,
	cudaErrorUnsupportedExecAffinity = 224,
	cudaErrorUnsupportedDevSideSync = 225,
	cudaErrorInvalidSource = 300,
	cudaErrorFileNotFound = 301,
	cudaErrorSharedObjectSymbolNotFound = 302,
	cudaErrorSharedObjectInitFailed = 303,
	cudaErrorOperatingSystem = 304,
	cudaErrorInvalidResourceHandle = 400,
	cudaErrorIllegalState = 401,
	cudaErrorSymbolNotFound = 500,
	cudaErrorNotReady = 600,
	cudaErrorIllegalAddress = 700,
	cudaErrorLaunchOutOfResources = 701,
	cudaErrorLaunchTimeout = 702,
	cudaErrorLaunchIncompatibleTexturing = 703,
	cudaErrorPeerAccessAlreadyEnabled = 704,
	cudaErrorPeerAccessNotEnabled = 705,
	cudaErrorSetOnActiveProcess = 708,
	cudaErrorContextIsDestroyed = 709,
	cudaErrorAssert = 710,
	cudaErrorTooManyPeers = 711,
	cudaErrorHostMemoryAlreadyRegistered = 712,
	cudaErrorHostMemoryNotRegistered = 713,
	cudaErrorHardwareStackError = 714,
	cudaErrorIllegalInstruction = 715,
	cudaErrorMisalignedAddress = 716,
	cudaErrorInvalidAddressSpace = 717,
	cudaErrorInvalidPc = 718,
	cudaErrorLaunchFailure = 719,
	cudaErrorCooperativeLaunchTooLarge = 720,
	cudaErrorNotPermitted = 800,
	cudaErrorNotSupported = 801,
	cudaErrorSystemNotReady = 802,
	cudaErrorSystemDriverMismatch = 803,
	cudaErrorCompatNotSupportedOnDevice = 804,
	cudaErrorStreamCaptureUnsupported = 900,
	cudaErrorStreamCaptureInvalidated = 901,
	cudaErrorStreamCaptureMerge = 902,
	cudaErrorStreamCaptureUnmatched = 903,
	cudaErrorStreamCaptureUnjoined = 904,
	cudaErrorStreamCaptureIsolation = 905,
	cudaErrorStreamCaptureImplicit = 906,
	cudaErrorCapturedEvent = 907,
	cudaErrorStreamCaptureWrongThread = 908,
	cudaErrorTimeout = 909,
	cudaErrorGraphExecUpdateFailure = 910,
	cudaErrorExternalDevice = 911,
	cudaErrorInvalidClusterSize = 912,
	cudaErrorFunctionNotLoaded = 913,
	cudaErrorInvalidResourceType = 914,
	cudaErrorInvalidResourceConfiguration = 915,
	cudaErrorUnknown = 999,
} cudaError_t;

enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrGpuOverlap = 15,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18,
	cudaDevAttrCanMapHostMemory = 19,
	cudaDevAttrComputeMode = 20,
	cudaDevAttrConcurrentKernels = 31,
	cudaDevAttrEccEnabled = 32,
	cudaDevAttrPciBusId = 33,
	cudaDevAttrPciDeviceId = 34,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrPciDomainId = 50,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrStreamPrioritiesSupported = 78,
	cudaDevAttrGlobalL1CacheSupported = 79,
	cudaDevAttrLocalL1CacheSupported = 80,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrIsMultiGpuBoard = 84,
	cudaDevAttrHostNativeAtomicSupported = 86,
	cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89,
	cudaDevAttrComputePreemptionSupported = 90,
	cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrHostRegisterSupported = 99,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrReservedSharedMemoryPerBlock = 111,
	cudaDevAttrMemoryPoolsSupported = 115,
	cudaDevAttrClusterLaunch = 120,
};

struct cudaUUID_t {
	char bytes[16];
};

struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment, texturePitchAlignment;
	int multiProcessorCount, integrated, canMapHostMemory;
	int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
	int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
	int maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
	int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
	size_t surfaceAlignment;
	int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
	int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
	int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
	int canUseHostPointerForRegisteredMem, cooperativeLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
	int accessPolicyMaxWindowSize;
	size_t reservedSharedMemPerBlock;
	int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
	int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
	unsigned int gpuDirectRDMAFlushWritesOptions;
	int gpuDirectRDMAWritesOrdering;
	unsigned int memoryPoolSupportedHandleTypes;
	int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
	int reserved[63];
};
static_assert(__builtin_offsetof(cudaDeviceProp, totalGlobalMem) == 288 &&
		__builtin_offsetof(cudaDeviceProp, surfaceAlignment) == 552 &&
		__builtin_offsetof(cudaDeviceProp, clusterLaunch) == 748 && sizeof(cudaDeviceProp) == 1008,
	"as the runtime fills it");

/* --- objects ---------------------------------------------------------------------------------------------------------- */

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;
enum cudaJitOption { cudaJitMaxRegisters = 0, cudaJitOptimizationLevel = 7 };
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams, **extra;
};
struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};
struct cudaHostNodeParams {
	void (*fn)(void *data);
	void *userData;
};
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaInvalidDeviceId (-2)
#define cudaCpuDeviceId (-1)

enum {
	cudaStreamDefault = 0,
	cudaStreamNonBlocking = 1,
	cudaEventDefault = 0,
	cudaEventBlockingSync = 1,
	cudaEventDisableTiming = 2,
	cudaEventInterprocess = 4,
	cudaEventRecordDefault = 0,
	cudaEventRecordExternal = 1,
	cudaEventWaitDefault = 0,
	cudaHostAllocDefault = 0,
	cudaHostAllocPortable = 1,
	cudaHostAllocMapped = 2,
	cudaHostAllocWriteCombined = 4,
	cudaHostRegisterDefault = 0,
	cudaHostRegisterPortable = 1,
	cudaHostRegisterMapped = 2,
	cudaHostRegisterReadOnly = 8,
	cudaMemAttachGlobal = 1,
	cudaMemAttachHost = 2,
	cudaMemAttachSingle = 4,
	cudaDeviceScheduleAuto = 0,
	cudaDeviceScheduleSpin = 1,
	cudaDeviceScheduleYield = 2,
	cudaDeviceScheduleBlockingSync = 4,
	cudaDeviceMapHost = 8,
	cudaDeviceLmemResizeToMax = 16,
	cudaArrayDefault = 0,
	cudaArrayLayered = 1,
	cudaArraySurfaceLoadStore = 2,
	cudaArrayCubemap = 4,
	cudaOccupancyDefault = 0,
	cudaPeerAccessDefault = 0,
};

/* --- memory ----------------------------------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault,
};

enum cudaMemoryType {
	cudaMemoryTypeUnregistered,
	cudaMemoryTypeHost,
	cudaMemoryTypeDevice,
	cudaMemoryTypeManaged,
};

enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1,
	cudaMemAdviseUnsetReadMostly,
	cudaMemAdviseSetPreferredLocation,
	cudaMemAdviseUnsetPreferredLocation,
	cudaMemAdviseSetAccessedBy,
	cudaMemAdviseUnsetAccessedBy,
};

enum cudaMemLocationType {
	cudaMemLocationTypeInvalid,
	cudaMemLocationTypeDevice,
	cudaMemLocationTypeHost,
	cudaMemLocationTypeHostNuma,
	cudaMemLocationTypeHostNumaCurrent,
};

struct cudaMemLocation {
	cudaMemLocationType type;
	int id;
};

struct cudaPointerAttributes {
	cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
	long reserved[8];
};

struct cudaExtent {
	size_t width, height, depth;
};

struct cudaPos {
	size_t x, y, z;
};

struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};

struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	cudaPos srcPos;
	cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	cudaPos dstPos;
	cudaPitchedPtr dstPtr;
	cudaExtent extent;
	cudaMemcpyKind kind;
};

SIMT_BOTH cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
	return cudaExtent{width, height, depth};
}
SIMT_BOTH cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	return cudaPos{x, y, z};
}
SIMT_BOTH cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height)
{
	return cudaPitchedPtr{pointer, pitch, width, height};
}

/* --- execution -------------------------------------------------------------------------------------------------------- */

enum cudaFuncCache {
	cudaFuncCachePreferNone,
	cudaFuncCachePreferShared,
	cudaFuncCachePreferL1,
	cudaFuncCachePreferEqual,
};

enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault,
	cudaSharedMemBankSizeFourByte,
	cudaSharedMemBankSizeEightByte,
};

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeClusterDimMustBeSet = 10,
	cudaFuncAttributeRequiredClusterWidth = 11,
	cudaFuncAttributeRequiredClusterHeight = 12,
	cudaFuncAttributeRequiredClusterDepth = 13,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};

struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
	int preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight;
	int requiredClusterDepth, clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};

enum cudaLimit {
	cudaLimitStackSize,
	cudaLimitPrintfFifoSize,
	cudaLimitMallocHeapSize,
	cudaLimitDevRuntimeSyncDepth,
	cudaLimitDevRuntimePendingLaunchCount,
	cudaLimitMaxL2FetchGranularity,
	cudaLimitPersistingL2CacheSize,
};

enum cudaLaunchAttributeID {
	cudaLaunchAttributeIgnore = 0,
	cudaLaunchAttributeCooperative = 2,
	cudaLaunchAttributeSynchronizationPolicy = 3,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6,
	cudaLaunchAttributePriority = 8,
};

enum cudaSynchronizationPolicy {
	cudaSyncPolicyAuto = 1,
	cudaSyncPolicySpin,
	cudaSyncPolicyYield,
	cudaSyncPolicyBlockingSync,
};

union cudaLaunchAttributeValue {
	char pad[64];
	cudaSynchronizationPolicy syncPolicy;
	int cooperative, priority, programmaticStreamSerializationAllowed;
	struct {
		unsigned int x, y, z;
	} clusterDim;
};

struct cudaLaunchAttribute {
	cudaLaunchAttributeID id;
	char pad[4];
	cudaLaunchAttributeValue val;
};

typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy

struct cudaLaunchConfig_t {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
};

enum cudaStreamCaptureMode {
	cudaStreamCaptureModeGlobal,
	cudaStreamCaptureModeThreadLocal,
	cudaStreamCaptureModeRelaxed,
};

enum cudaStreamCaptureStatus {
	cudaStreamCaptureStatusNone,
	cudaStreamCaptureStatusActive,
	cudaStreamCaptureStatusInvalidated,
};

/* --- arrays, textures, surfaces ----------------------------------------------------------------------------------------- */

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned,
	cudaChannelFormatKindUnsigned,
	cudaChannelFormatKindFloat,
	cudaChannelFormatKindNone,
};

struct cudaChannelFormatDesc {
	int x, y, z, w;
	cudaChannelFormatKind f;
};

enum cudaResourceType {
	cudaResourceTypeArray,
	cudaResourceTypeMipmappedArray,
	cudaResourceTypeLinear,
	cudaResourceTypePitch2D,
};

struct cudaResourceDesc {
	cudaResourceType resType;
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			cudaMipmappedArray_t mipmap;
		} mipmap;
		struct {
			void *devPtr;
			cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
		int reserved[32];
	} res;
	unsigned int flags;
};

enum cudaTextureAddressMode {
	cudaAddressModeWrap,
	cudaAddressModeClamp,
	cudaAddressModeMirror,
	cudaAddressModeBorder,
};

enum cudaTextureFilterMode {
	cudaFilterModePoint,
	cudaFilterModeLinear,
};

enum cudaTextureReadMode {
	cudaReadModeElementType,
	cudaReadModeNormalizedFloat,
};

enum cudaSurfaceBoundaryMode {
	cudaBoundaryModeZero,
	cudaBoundaryModeClamp,
	cudaBoundaryModeTrap,
};

struct cudaTextureDesc {
	cudaTextureAddressMode addressMode[3];
	cudaTextureFilterMode filterMode;
	cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization, seamlessCubemap;
};

struct cudaResourceViewDesc {
	int format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};

/* --- pools, ranges ------------------------------------------------------------------------------------------------------ */

enum cudaMemPoolAttr {
	cudaMemPoolReuseFollowEventDependencies = 1,
	cudaMemPoolReuseAllowOpportunistic,
	cudaMemPoolReuseAllowInternalDependencies,
	cudaMemPoolAttrReleaseThreshold,
	cudaMemPoolAttrReservedMemCurrent,
	cudaMemPoolAttrReservedMemHigh,
	cudaMemPoolAttrUsedMemCurrent,
	cudaMemPoolAttrUsedMemHigh,
};

enum cudaMemRangeAttribute {
	cudaMemRangeAttributeReadMostly = 1,
	cudaMemRangeAttributePreferredLocation,
	cudaMemRangeAttributeAccessedBy,
	cudaMemRangeAttributeLastPrefetchLocation,
};

enum cudaMemAllocationType {
	cudaMemAllocationTypeInvalid,
	cudaMemAllocationTypePinned,
	cudaMemAllocationTypeManaged,
};

enum cudaMemAllocationHandleType {
	cudaMemHandleTypeNone,
	cudaMemHandleTypePosixFileDescriptor,
};

struct cudaMemPoolProps {
	cudaMemAllocationType allocType;
	cudaMemAllocationHandleType handleTypes;
	cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;
	unsigned short usage;
	unsigned char reserved[54];
};

/* --- further parts of graphs ------------------------------------------------------------------------------------------ */

enum cudaGraphNodeType {
	cudaGraphNodeTypeKernel,
	cudaGraphNodeTypeMemcpy,
	cudaGraphNodeTypeMemset,
	cudaGraphNodeTypeHost,
	cudaGraphNodeTypeGraph,
	cudaGraphNodeTypeEmpty,
	cudaGraphNodeTypeWaitEvent,
	cudaGraphNodeTypeEventRecord,
	cudaGraphNodeTypeExtSemaphoreSignal,
	cudaGraphNodeTypeExtSemaphoreWait,
	cudaGraphNodeTypeMemAlloc,
	cudaGraphNodeTypeMemFree,
	cudaGraphNodeTypeConditional = 13,
};
struct cudaGraphEdgeData {
	unsigned char from_port, to_port, type, reserved[5];
};
enum cudaGraphExecUpdateResult {
	cudaGraphExecUpdateSuccess,
	cudaGraphExecUpdateError,
	cudaGraphExecUpdateErrorTopologyChanged,
	cudaGraphExecUpdateErrorNodeTypeChanged,
	cudaGraphExecUpdateErrorFunctionChanged,
	cudaGraphExecUpdateErrorParametersChanged,
	cudaGraphExecUpdateErrorNotSupported,
	cudaGraphExecUpdateErrorUnsupportedFunctionChange,
	cudaGraphExecUpdateErrorAttributesChanged,
};
struct cudaGraphExecUpdateResultInfo {
	cudaGraphExecUpdateResult result;
	cudaGraphNode_t errorNode, errorFromNode;
};
enum cudaMemAccessFlags {
	cudaMemAccessFlagsProtNone = 0,
	cudaMemAccessFlagsProtRead = 1,
	cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
	cudaMemLocation location;
	cudaMemAccessFlags flags;
};
struct cudaMemAllocNodeParams {
	cudaMemPoolProps poolProps;
	const cudaMemAccessDesc *accessDescs;
	size_t accessDescCount, bytesize;
	void *dptr;
};
typedef struct CUuserObject_st *cudaUserObject_t;
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

enum cudaDriverEntryPointQueryResult {
	cudaDriverEntryPointSuccess,
	cudaDriverEntryPointSymbolNotFound,
	cudaDriverEntryPointVersionNotSufficent,
};
enum {
	cudaEnableDefault = 0,
	cudaEnableLegacyStream = 1,
	cudaEnablePerThreadDefaultStream = 2,
};

struct cudaIpcMemHandle_t {
	char reserved[64];
};
